import { type DecisionRequest, decide, explain } from "@berth/directory-domain";
import type { Actor } from "../engine/actor.ts";
import { EngineError } from "../engine/errors.ts";
import { DECISIONS } from "../engine/telemetry.ts";

export type User = Actor & { readonly kind: "user" };

/** Throws `forbidden`, listing every constraint that denies the request and what it allows, unless the user's constraints allow it. */
export function assertAllowed(user: User, request: DecisionRequest): void {
  const decision = decide(request, user.effective);
  for (const { kind, refusals } of decision.checks)
    DECISIONS.tell(() => ({ kind, outcome: refusals.length === 0 ? "allow" : "refuse" }));
  if (!decision.allowed) throw new EngineError("forbidden", explain(decision));
}

/** The error of an action that no constraint can allow. */
export function denied(why: string): EngineError {
  return new EngineError("forbidden", `denied by policy: ${why}`);
}
