import type { UserId } from "@berth/directory-domain";
import { z } from "@hono/zod-openapi";
import { DirectoryError } from "../accounts/directory-error.ts";
import { createToken, revokeToken } from "../accounts/tokens.ts";
import { jsonAnswer, noContent } from "../wire/answer.ts";
import type { Endpoints } from "../wire/endpoint.ts";
import { listAnswer } from "../wire/list.ts";
import { issuedTokenSchema, newTokenSchema, showToken, tokenQuerySchema, tokenSchema } from "../wire/schemas/token.ts";
import type { Services } from "./services.ts";

const tag = "Tokens";

export function tokenRoutes(endpoints: Endpoints, services: Services): void {
  endpoints.add(
    {
      method: "get",
      path: "/api/tokens",
      tag,
      summary: "List your tokens; administrators name anyone with userId",
      access: "signed-in",
      query: tokenQuerySchema,
      answers: { 200: { description: "The tokens", schema: z.array(tokenSchema) } },
    },
    (call) => {
      const userId = call.query.userId ?? call.caller.userId;
      if (userId !== call.caller.userId && call.caller.role !== "admin")
        throw new DirectoryError("forbidden", "Only an administrator sees the tokens of others.");
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
      tag,
      summary: "Make a token; its text is shown this once",
      access: "signed-in",
      body: newTokenSchema,
      answers: { 201: { description: "The token", schema: issuedTokenSchema } },
      refuses: ["not-found", "conflict"],
    },
    async (call) => {
      const { userId = call.caller.userId, ...fields } = call.body;
      const issued = await createToken(services, call.caller, { ...fields, userId: userId as UserId });
      return jsonAnswer({ ...showToken(issued.record), token: issued.token }, { status: 201 });
    },
  );

  endpoints.add(
    {
      method: "delete",
      path: "/api/tokens/{id}",
      tag,
      summary: "Revoke a token of yours; administrators revoke anyone's",
      access: "signed-in",
      answers: { 204: { description: "Revoked" } },
    },
    async (call) => {
      await revokeToken(services, call.caller, call.id);
      return noContent();
    },
  );
}
