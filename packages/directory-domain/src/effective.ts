import type { Baseline } from "./baseline.ts";
import type { Kind, OwnedConstraint, UnreadableConstraint } from "./constraint.ts";
import type { Group } from "./group.ts";
import type { Role, UserId } from "./user.ts";

/** The user to decide about, as the directory's row describes it, never as a token claims. */
export interface Subject {
  readonly id: UserId;
  readonly login: string;
  readonly role: Role;
  readonly active: boolean;
}

/**
 * The constraints that apply to one user: its own and those of its groups, once each, ordered by id, over the baseline. For each kind the
 * user may do `((baseline ∪ grants) ∩ limits) − denies`.
 */
export interface EffectiveConstraints {
  readonly subject: Subject;
  readonly baseline: Baseline;
  readonly constraints: readonly OwnedConstraint[];
  readonly unreadable: readonly UnreadableConstraint[];
  /** The groups that the user is in, by itself or through a subgroup, with and without constraints. */
  readonly groups: readonly Group[];
}

/**
 * Gathers the constraints that apply to `subject` at the instant `at` (UTC, as `Date.prototype.toISOString` formats it). Drops expired
 * constraints and duplicates, and sorts by id.
 */
export function effectiveConstraints(input: {
  readonly subject: Subject;
  readonly constraints: readonly OwnedConstraint[];
  readonly unreadable?: readonly UnreadableConstraint[];
  readonly groups?: readonly Group[];
  readonly baseline: Baseline;
  readonly at: string;
}): EffectiveConstraints {
  const byId = new Map<number, OwnedConstraint>();
  for (const one of input.constraints) if (!hasExpired(one.expiresAt, input.at)) byId.set(one.id, one);
  const unreadable = new Map((input.unreadable ?? []).map((one) => [Number(one.id), one]));
  return {
    subject: input.subject,
    baseline: input.baseline,
    constraints: [...byId.values()].sort((a, b) => a.id - b.id),
    unreadable: [...unreadable.values()].sort((a, b) => a.id - b.id),
    groups: input.groups ?? [],
  };
}

/** The constraints of one kind, typed as that kind. */
export function ofKind<K extends Kind>(
  effective: EffectiveConstraints,
  kind: K,
): readonly Extract<OwnedConstraint, { kind: K }>[] {
  return effective.constraints.filter((one): one is Extract<OwnedConstraint, { kind: K }> => one.kind === kind);
}

// The form of `Date.prototype.toISOString`, in which earlier instants sort before later ones.
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** An instant in any other form never ends a restriction. */
function hasExpired(expiresAt: string | null, at: string): boolean {
  return expiresAt !== null && INSTANT.test(expiresAt) && expiresAt <= at;
}
