import { decide, type Warning, warningsOf } from "@berth/directory-domain";
import { z } from "@hono/zod-openapi";
import { DirectoryError } from "../accounts/directory-error.ts";
import { effectiveOf } from "../accounts/effective.ts";
import { jsonAnswer } from "../wire/answer.ts";
import type { Endpoints } from "../wire/endpoint.ts";
import { flagSchema } from "../wire/schemas/common.ts";
import { showOwnedConstraint } from "../wire/schemas/constraint.ts";
import {
  decisionRequestSchema,
  decisionSchema,
  effectiveSchema,
  requestOf,
  showDecision,
} from "../wire/schemas/decision.ts";
import type { Services } from "./services.ts";

const tag = "Decisions";

export function decisionRoutes(endpoints: Endpoints, services: Services): void {
  endpoints.add(
    {
      method: "get",
      path: "/api/users/{id}/effective-constraints",
      tag,
      summary: "All that holds for a user, and where it comes from",
      access: "self-or-reader",
      scopes: ["read", "engine"],
      // Every constraint is held against every other for them: for people, not for each container that starts.
      query: z.strictObject({ warnings: flagSchema.optional() }),
      answers: { 200: { description: "What holds", schema: effectiveSchema } },
    },
    async (call) => {
      const { effective, version } = await effectiveOf(services, call.id);
      return jsonAnswer({
        subject: effective.subject,
        version,
        baseline: effective.baseline,
        constraints: effective.constraints.map(showOwnedConstraint),
        unreadable: effective.unreadable.map(showOwnedConstraint),
        ...(call.query.warnings === true ? { warnings: warningsOf(effective).map(showWarning) } : {}),
      });
    },
  );

  endpoints.add(
    {
      method: "post",
      path: "/api/decisions",
      tag,
      summary: "Ask what would be decided on a request, and why; changes nothing",
      access: "signed-in",
      scopes: ["read", "engine"],
      body: decisionRequestSchema,
      answers: { 200: { description: "The decision", schema: decisionSchema } },
      refuses: ["not-found"],
    },
    async (call) => {
      const userId = call.body.userId ?? call.caller.userId;
      if (userId !== call.caller.userId && call.caller.role === "user")
        throw new DirectoryError("forbidden", "Only operators and administrators ask about others.");
      const { effective, version } = await effectiveOf(services, userId);
      return jsonAnswer(showDecision(decide(requestOf(call.body), effective), version));
    },
  );
}

function showWarning(warning: Warning) {
  return { ...warning, constraints: warning.constraints.map(({ id }) => id) };
}
