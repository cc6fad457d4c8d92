import type { Kind, OwnedConstraint, UnreadableConstraint } from "./constraint.ts";

export type Reason =
  | "not-granted"
  | "outside-limit"
  | "denied"
  | "over-quota"
  | "limit-required"
  | "not-counted"
  | "unreadable-constraint"
  | "inactive";

/** One reason for refusing one item, with exactly the constraints that give it; `not-granted` has none to name. */
export interface Refusal {
  readonly reason: Reason;
  readonly constraints: readonly (OwnedConstraint | UnreadableConstraint)[];
}

/** What was asked about one item of a request, and every reason against it. Without refusals it passes. */
export interface Check {
  readonly kind: Kind | "subject";
  /** The item as people write it, in units that people read. */
  readonly item: string;
  readonly refusals: readonly Refusal[];
  /** What would pass, as texts, `docker.io/acme/* except docker.io/acme/old*` among them; empty when the item passes or nothing would. */
  readonly passing: readonly string[];
  /** What the user itself can do about it, as in `add --cpus 1 or less`; null when the item passes or only an administrator can help. */
  readonly remedy: string | null;
}

/** The refusal for `reason` where there is a constraint to name, else none. */
export function refusalBy(reason: Reason, constraints: readonly OwnedConstraint[]): readonly Refusal[] {
  return constraints.length === 0 ? [] : [{ reason, constraints }];
}
