import type { Baseline } from "./baseline.ts";
import type { Kind, OwnedConstraint, UnreadableConstraint } from "./constraint.ts";
import type { Role, UserId } from "./user.ts";

/** Who asks: the facts of the directory's row, never of a token alone. */
export interface Subject {
  readonly id: UserId;
  readonly login: string;
  readonly role: Role;
  readonly active: boolean;
}

/**
 * All that holds for one user: its own constraints and those of its groups, once each, in the order of their ids, over
 * the baseline. What may be done is `((baseline ∪ grants) ∩ limits) − denies`, kind by kind.
 */
export interface EffectiveConstraints {
  readonly subject: Subject;
  readonly baseline: Baseline;
  readonly constraints: readonly OwnedConstraint[];
  readonly unreadable: readonly UnreadableConstraint[];
}

/**
 * Gathers what holds for `subject` at the instant `at` (UTC, as `Date.prototype.toISOString` writes it): drops what has expired and every
 * second copy of a constraint, so that neither order nor owner nor repetition matters afterwards.
 */
export function effectiveConstraints(input: {
  readonly subject: Subject;
  readonly constraints: readonly OwnedConstraint[];
  readonly unreadable?: readonly UnreadableConstraint[];
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
