import { decide, type EffectiveConstraints, type Warning, warningsOf } from "@berth/directory-domain";
import { z } from "@hono/zod-openapi";
import type { Effective } from "../cache/effective-cache.ts";
import { DirectoryError } from "../errors/directory-error.ts";
import { jsonAnswer, jsonTextAnswer } from "../http/answer.ts";
import type { Endpoints } from "../http/endpoint.ts";
import { FLAG_SCHEMA } from "../http/schemas/common.ts";
import { showOwnedConstraint } from "../http/schemas/constraint.ts";
import {
  decisionRequestSchema,
  decisionSchema,
  effectiveSchema,
  requestOf,
  showDecision,
} from "../http/schemas/decision.ts";
import type { Services } from "./services.ts";

const TAG = "Decisions";

export function decisionRoutes(endpoints: Endpoints, services: Services): void {
  const { effectiveOf } = services;
  // Cache the serialised JSON: on a cache hit, serialising dominates.
  const texts = new WeakMap<EffectiveConstraints, string>();

  endpoints.add(
    {
      method: "get",
      path: "/api/users/{id}/effective-constraints",
      operationId: "getEffectiveConstraints",
      tag: TAG,
      summary: "Read a user's effective constraints and their owners",
      access: "self-or-reader",
      scopes: ["read", "engine"],
      // Warnings compare all constraints pairwise, which is too slow for every container start.
      query: z.strictObject({ warnings: FLAG_SCHEMA.optional() }),
      answers: { 200: { description: "The effective constraints", schema: effectiveSchema } },
    },
    async (call) => {
      const known = await effectiveOf(call.id);
      if (call.query.warnings === true)
        return jsonAnswer({ ...showEffective(known), warnings: warningsOf(known.effective).map(showWarning) });
      const text = texts.get(known.effective) ?? JSON.stringify(showEffective(known));
      texts.set(known.effective, text);
      return jsonTextAnswer(text);
    },
  );

  endpoints.add(
    {
      method: "post",
      path: "/api/decisions",
      operationId: "decide",
      tag: TAG,
      summary: "Explain the decision about a request, without side effects",
      access: "signed-in",
      scopes: ["read", "engine"],
      body: decisionRequestSchema,
      answers: { 200: { description: "The decision", schema: decisionSchema } },
      refuses: ["not-found"],
    },
    async (call) => {
      const userId = call.body.userId ?? call.actor.userId;
      if (userId !== call.actor.userId && call.actor.role === "user")
        throw new DirectoryError("forbidden", "Only operators and administrators may ask about other users.");
      const { effective, version } = await effectiveOf(userId);
      return jsonAnswer(showDecision(decide(requestOf(call.body, effective), effective), version));
    },
  );
}

function showEffective({ effective, version }: Effective) {
  return {
    subject: effective.subject,
    version,
    baseline: effective.baseline,
    constraints: effective.constraints.map(showOwnedConstraint),
    unreadable: effective.unreadable.map(showOwnedConstraint),
    groups: effective.groups,
  };
}

function showWarning(warning: Warning) {
  return { ...warning, constraints: warning.constraints.map(({ id }) => id) };
}
