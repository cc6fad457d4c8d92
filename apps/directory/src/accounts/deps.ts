import type { Baseline } from "@berth/directory-domain";
import type { Hasher } from "../passwords/hasher.ts";
import type { Records } from "./stores.ts";

/** Everything that use cases depend on. */
export interface Deps {
  readonly records: Records;
  readonly hasher: Hasher;
  readonly baseline: Baseline;
  readonly minPassLength: number;
  /** Whether PUT, PATCH and DELETE without `If-Match` are rejected. */
  readonly requireIfMatch: boolean;

  readonly now: () => Date;
}
