import { type DecisionRequest, decide, explain } from "@berth/directory-domain";
import type { Actor } from "../engine/actor.ts";
import { EngineError } from "../engine/errors.ts";

export type User = Actor & { readonly kind: "user" };

/** Throws `forbidden`, naming every constraint that refuses and what would pass, unless the user's constraints allow the request. */
export function assertAllowed(user: User, request: DecisionRequest): void {
  const decision = decide(request, user.effective);
  if (!decision.allowed) throw new EngineError("forbidden", explain(decision));
}

/** The error of an action that no constraint can permit. */
export function denied(why: string): EngineError {
  return new EngineError("forbidden", `denied by policy: ${why}`);
}
