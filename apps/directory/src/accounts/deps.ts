import type { Baseline, UserId } from "@berth/directory-domain";
import type { Hasher } from "../passwords/hasher.ts";
import type { Records } from "./stores.ts";

/** Whose passwords need a second factor; everybody else may have one. */
export const SECOND_FACTOR_RULES = ["optional", "administrators", "everyone"] as const;
export type SecondFactorRule = (typeof SECOND_FACTOR_RULES)[number];

/** Secrets that the directory has to read again, as the database may hold them. */
export interface SecretBox {
  seal(owner: UserId, secret: Uint8Array): string;
  /** @throws an error for what was sealed for somebody else, or under a key that is no longer there. */
  open(owner: UserId, sealed: string): Uint8Array;
}

/** Everything that use cases depend on. */
export interface Deps {
  readonly records: Records;
  readonly hasher: Hasher;
  readonly baseline: Baseline;
  readonly minPassLength: number;
  /** Whether PUT, PATCH and DELETE without `If-Match` are rejected. */
  readonly requireIfMatch: boolean;
  readonly secondFactorRule: SecondFactorRule;
  readonly secrets: SecretBox;

  readonly now: () => Date;
}
