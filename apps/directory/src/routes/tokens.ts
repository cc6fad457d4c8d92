import type { UserId } from "@berth/directory-domain";
import { z } from "@hono/zod-openapi";
import { createToken, revokeToken } from "../accounts/tokens.ts";
import { DirectoryError } from "../errors/directory-error.ts";
import { jsonAnswer, noContent } from "../http/answer.ts";
import type { Endpoints } from "../http/endpoint.ts";
import { listAnswer } from "../http/list.ts";
import { issuedTokenSchema, newTokenSchema, showToken, tokenQuerySchema, tokenSchema } from "../http/schemas/token.ts";
import type { Services } from "./services.ts";

const TAG = "Tokens";

export function tokenRoutes(endpoints: Endpoints, services: Services): void {
  endpoints.add(
    {
      method: "get",
      path: "/api/tokens",
      tag: TAG,
      summary: "List your tokens, or as administrator those of userId",
      access: "signed-in",
      query: tokenQuerySchema,
      answers: { 200: { description: "The tokens", schema: z.array(tokenSchema) } },
    },
    (call) => {
      const userId = call.query.userId ?? call.actor.userId;
      if (userId !== call.actor.userId && call.actor.role !== "admin")
        throw new DirectoryError("forbidden", "Only administrators list the tokens of other users.");
      return listAnswer(call, services.cursors, {
        fetch: (page) => services.records.tokens.ofUser(userId, page),
        position: (token) => ({ value: token.id, id: token.id }),
        show: showToken,
      });
    },
  );

  endpoints.add(
    {
      method: "post",
      path: "/api/tokens",
      tag: TAG,
      summary: "Issue a token; its text is only in this answer",
      access: "signed-in",
      body: newTokenSchema,
      answers: { 201: { description: "The token", schema: issuedTokenSchema } },
      refuses: ["not-found", "conflict"],
    },
    async (call) => {
      const { userId = call.actor.userId, ...fields } = call.body;
      const issued = await createToken(services, call.actor, { ...fields, userId: userId as UserId });
      return jsonAnswer({ ...showToken(issued.record), token: issued.token }, { status: 201 });
    },
  );

  endpoints.add(
    {
      method: "delete",
      path: "/api/tokens/{id}",
      operationId: "revokeToken",
      tag: TAG,
      summary: "Revoke a token",
      access: "signed-in",
      answers: { 204: { description: "Revoked" } },
    },
    async (call) => {
      await revokeToken(services, call.actor, call.id);
      return noContent();
    },
  );
}
