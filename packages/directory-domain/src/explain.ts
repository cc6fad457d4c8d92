import type { Check, Refusal } from "./check.ts";
import type { Decision } from "./decide.ts";

/** More than fit in one line that a person reads. */
const MAX_PASSING = 8;

/**
 * One line that says why a decision refuses, what would pass, and what to do, for a client that shows one message:
 * `denied by policy: host-ports 80/tcp is outside the limit set by constraint 17 of group web (would pass: 8000-8099/tcp)`.
 * Empty when the decision allows.
 */
export function explain(decision: Decision): string {
  if (decision.allowed) return "";
  const refused = decision.checks.filter((check) => check.refusals.length > 0);
  const isHelpless = refused.some((check) => check.passing.length === 0 && check.remedy === null);
  const reasons = refused.map((check) => explainCheck(check, decision.subject.login)).join("; ");
  return `denied by policy: ${reasons}${isHelpless ? "; ask an administrator for permission" : ""}`;
}

function explainCheck(check: Check, login: string): string {
  const reasons = check.refusals.map((refusal) => explainRefusal(refusal, login)).join(" and ");
  const passing = check.passing.length === 0 ? "" : ` (would pass: ${check.passing.slice(0, MAX_PASSING).join(", ")})`;
  const remedy = check.remedy === null ? "" : `: ${check.remedy}`;
  return `${check.kind} ${check.item} ${reasons}${passing}${remedy}`;
}

/** The phrase alone, and the phrase that leads to the constraints that give the reason. */
const PHRASES: Readonly<Record<Refusal["reason"], readonly [alone: string, by: string]>> = {
  "not-granted": ["is not granted", "is not granted"],
  "outside-limit": ["is outside the limit", "is outside the limit set by"],
  denied: ["is denied", "is denied by"],
  "over-quota": ["is over the quota", "is over the quota set by"],
  "limit-required": ["needs a limit", "needs a limit under the quota set by"],
  "not-counted": ["cannot be counted", "cannot be counted for the quota set by"],
  "unreadable-constraint": ["has unreadable constraints", "cannot be decided on: this version of Berth cannot read"],
  inactive: ["is disabled", "is disabled"],
};

function explainRefusal({ reason, constraints }: Refusal, login: string): string {
  const [alone, by] = PHRASES[reason];
  if (constraints.length === 0) return alone;
  const named = constraints.map(({ id, owner }) => {
    if (owner.type === "place") return `place ${owner.name}`;
    const name = owner.type === "user" ? login : (owner.name ?? owner.id);
    return `constraint ${id} of ${owner.type} ${name}`;
  });
  return `${by} ${named.join(" and ")}`;
}
