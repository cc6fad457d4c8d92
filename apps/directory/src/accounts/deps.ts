import type { Baseline } from "@berth/directory-domain";
import type { Hasher } from "../passwords/hasher.ts";
import type { Records } from "./stores.ts";

/** What use cases work with. */
export interface Deps {
  readonly records: Records;
  readonly hasher: Hasher;
  readonly baseline: Baseline;
  readonly minPassLength: number;
  /** Whether changes without `If-Match` are refused. */
  readonly requireIfMatch: boolean;
  /** The time now. */
  readonly now: () => Date;
}
