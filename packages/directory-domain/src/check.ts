import type { Kind, OwnedConstraint, UnreadableConstraint } from "./constraint.ts";

export type Reason =
  | "not-granted"
  | "outside-limit"
  | "denied"
  | "over-quota"
  | "limit-required"
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
  readonly item: string;
  readonly refusals: readonly Refusal[];
  /** What would pass, before denies, as texts; empty where the item passes or nothing would. */
  readonly passing: readonly string[];
}

/** The refusal for `reason` where there is a constraint to name, else none. */
export function refusalOf(reason: Reason, constraints: readonly OwnedConstraint[]): readonly Refusal[] {
  return constraints.length === 0 ? [] : [{ reason, constraints }];
}
