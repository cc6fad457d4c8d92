import type { Check, Refusal } from "./check.ts";
import type { Decision } from "./decide.ts";

/**
 * One line that says why a decision refuses, for a client that shows one message:
 * `denied by policy: host-ports 80/tcp is outside the limit of constraint 17 (group 3); would pass: 8000-8099/tcp`.
 * Empty when the decision allows.
 */
export function explain(decision: Decision): string {
  if (decision.allowed) return "";
  const refused = decision.checks.filter((check) => check.refusals.length > 0);
  return `denied by policy: ${refused.map(explainCheck).join("; ")}`;
}

function explainCheck(check: Check): string {
  const reasons = check.refusals.map(explainRefusal).join(" and ");
  const passing = check.passing.length === 0 ? "" : ` (would pass: ${check.passing.slice(0, 8).join(", ")})`;
  return `${check.kind} ${check.item} ${reasons}${passing}`;
}

const PHRASES: Readonly<Record<Refusal["reason"], string>> = {
  "not-granted": "is not granted",
  "outside-limit": "is outside the limit",
  denied: "is denied",
  "over-quota": "is over the quota",
  "limit-required": "needs a limit under the quota",
  "unreadable-constraint": "has constraints that this version can't read",
  inactive: "is not active",
};

function explainRefusal(refusal: Refusal): string {
  const owners = refusal.constraints.map((one) => `constraint ${one.id} of ${one.owner.type} ${one.owner.id}`);
  return PHRASES[refusal.reason] + (owners.length === 0 ? "" : ` by ${owners.join(", ")}`);
}
