import { changeOwnPass } from "../accounts/change-own-pass.ts";
import { createPassLink, setPassByLink } from "../accounts/pass-link.ts";
import { FACTOR_SCOPE, PASS_SCOPE, TOKEN_SCOPES } from "../accounts/records.ts";
import { revokeToken } from "../accounts/tokens.ts";
import { removedUser } from "../errors/directory-error.ts";
import { jsonAnswer, noContent, recordAnswer } from "../http/answer.ts";
import type { Endpoints } from "../http/endpoint.ts";
import {
  changePassSchema,
  linkedPassSchema,
  meSchema,
  passLinkSchema,
  sessionSchema,
  signInSchema,
} from "../http/schemas/token.ts";
import { showUser } from "../http/schemas/user.ts";
import { noSessionCookie, sessionCookie, sessionOf } from "../http/session-cookie.ts";
import { SESSION_SECONDS, signIn } from "../sign-in/sign-in.ts";
import type { Services } from "./services.ts";

const TAG = "Sessions";

export function sessionRoutes(endpoints: Endpoints, services: Services): void {
  signInRoutes(endpoints, services);
  ownAccountRoutes(endpoints, services);
}

function signInRoutes(endpoints: Endpoints, services: Services): void {
  endpoints.open(
    {
      method: "post",
      path: "/api/login",
      operationId: "login",
      tag: TAG,
      summary:
        "Sign in with login or e-mail, password and, with a second factor, a code; for a session token or cookie",
      access: "anyone",
      body: signInSchema,
      answers: { 200: { description: "A session", schema: sessionSchema } },
      refuses: ["unauthenticated", "second-factor-required", "throttled"],
    },
    async (call) => {
      const login = call.body.login ?? call.body.email ?? "";
      const { pass, code } = call.body;
      const session = await signIn(services, { login, pass, code, address: call.address });
      const { token, record, user } = session;
      const shown = { expiresAt: record.expiresAt, user: showUser(user) };
      if (!call.body.cookie) return jsonAnswer({ token, ...shown });
      const cookie = sessionCookie(call.request, token, SESSION_SECONDS);
      return jsonAnswer(shown, { headers: { "set-cookie": cookie } });
    },
  );

  endpoints.add(
    {
      method: "post",
      path: "/api/logout",
      operationId: "logout",
      tag: TAG,
      summary: "Sign out: revoke the token of this request",
      access: "signed-in",
      scopes: [...TOKEN_SCOPES, FACTOR_SCOPE],
      answers: { 204: { description: "Signed out" } },
    },
    async (call) => {
      if (call.actor.tokenId !== null) await revokeToken(services, call.actor, call.actor.tokenId);
      return noContent(sessionOf(call.request) && { "set-cookie": noSessionCookie(call.request) });
    },
  );
}

function ownAccountRoutes(endpoints: Endpoints, services: Services): void {
  endpoints.add(
    {
      method: "get",
      path: "/api/me",
      operationId: "getMe",
      tag: TAG,
      summary: "Read yourself, with the scopes of your credential",
      access: "signed-in",
      scopes: [...TOKEN_SCOPES, FACTOR_SCOPE],
      answers: { 200: { description: "You", schema: meSchema }, 304: { description: "Not modified" } },
    },
    async (call) => {
      const user = await services.records.users.find(call.actor.userId);
      if (user === undefined) throw removedUser();
      const { scopes, tokenId } = call.actor;
      return recordAnswer(user, { ...showUser(user), scopes, tokenId });
    },
  );

  endpoints.add(
    {
      method: "put",
      path: "/api/me/pass",
      operationId: "changePassword",
      tag: TAG,
      summary: "Change your own password and revoke your other tokens",
      access: "signed-in",
      body: changePassSchema,
      answers: { 204: { description: "Changed" } },
    },
    async (call) => {
      await changeOwnPass(services, call.actor, call.body);
      return noContent();
    },
  );

  endpoints.add(
    {
      method: "post",
      path: "/api/users/{id}/pass-links",
      tag: TAG,
      summary: "Create a link by which a user sets its password, once and within 24 hours",
      access: "admin",
      answers: { 201: { description: "The link", schema: passLinkSchema } },
      refuses: ["not-found", "conflict"],
    },
    async (call) => {
      const { token, record } = await createPassLink(services, call.actor, call.id);
      return jsonAnswer({ path: `/api/set-pass#${token}`, expiresAt: record.expiresAt }, { status: 201 });
    },
  );

  endpoints.add(
    {
      method: "put",
      path: "/api/pass",
      tag: TAG,
      summary: "Set your password with the token of a link, which ends all your tokens",
      access: "signed-in",
      scopes: [PASS_SCOPE],
      body: linkedPassSchema,
      answers: { 204: { description: "Set" } },
    },
    async (call) => {
      await setPassByLink(services, call.actor, call.body.pass);
      return noContent();
    },
  );
}
