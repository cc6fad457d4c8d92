import { FACTOR_SCOPE } from "../accounts/records.ts";
import { jsonAnswer, noContent } from "../http/answer.ts";
import type { Endpoints } from "../http/endpoint.ts";
import {
  codeBodySchema,
  factorStateSchema,
  newFactorSchema,
  newSecretSchema,
  recoveryCodesSchema,
} from "../http/schemas/second-factor.ts";
import {
  beginFactor,
  confirmFactor,
  disableFactor,
  factorState,
  renewRecoveryCodes,
  resetFactor,
} from "../sign-in/second-factor.ts";
import type { Services } from "./services.ts";

const TAG = "Sessions";
const OWN = "/api/me/second-factor";
const OF_USER = "/api/users/{id}/second-factor";

/** The second factor of passwords: time-based codes (RFC 6238), with recovery codes. */
export function secondFactorRoutes(endpoints: Endpoints, services: Services): void {
  setUpRoutes(endpoints, services);

  endpoints.add(
    {
      method: "post",
      path: `${OWN}/recovery-codes`,
      operationId: "renewRecoveryCodes",
      tag: TAG,
      summary: "Replace your recovery codes",
      access: "signed-in",
      body: codeBodySchema,
      answers: { 200: { description: "The new codes", schema: recoveryCodesSchema } },
      refuses: ["conflict", "throttled"],
    },
    async ({ actor, body, address }) => {
      const recoveryCodes = await renewRecoveryCodes(services, actor, { code: body.code, address });
      return jsonAnswer({ recoveryCodes });
    },
  );

  endpoints.add(
    {
      method: "post",
      path: `${OWN}/disable`,
      operationId: "disableSecondFactor",
      tag: TAG,
      summary: "Remove your second factor",
      access: "signed-in",
      body: codeBodySchema,
      answers: { 204: { description: "Removed" } },
      refuses: ["conflict", "throttled"],
    },
    async ({ actor, body, address }) => {
      await disableFactor(services, actor, { code: body.code, address });
      return noContent();
    },
  );

  endpoints.add(
    {
      method: "delete",
      path: OF_USER,
      operationId: "resetSecondFactor",
      tag: TAG,
      summary: "Remove a user's second factor, for somebody who has lost it",
      access: "admin",
      answers: { 204: { description: "Removed, or there was none" } },
      refuses: ["not-found"],
    },
    async ({ actor, id }) => {
      await resetFactor(services, actor, id);
      return noContent();
    },
  );
}

/** What somebody may do who has to set one up first. */
function setUpRoutes(endpoints: Endpoints, services: Services): void {
  endpoints.add(
    {
      method: "get",
      path: OF_USER,
      operationId: "getSecondFactor",
      tag: TAG,
      summary: "Read whether a user has a second factor, and has to have one",
      access: "self-or-reader",
      scopes: ["read", FACTOR_SCOPE],
      answers: { 200: { description: "How it stands", schema: factorStateSchema } },
      refuses: ["not-found"],
    },
    async ({ id }) => jsonAnswer(await factorState(services, id)),
  );

  endpoints.add(
    {
      method: "post",
      path: OWN,
      operationId: "beginSecondFactor",
      tag: TAG,
      summary: "Make a secret for your authenticator app, which counts once you confirm it with a code",
      access: "signed-in",
      scopes: ["write", FACTOR_SCOPE],
      body: newFactorSchema,
      answers: { 201: { description: "The secret", schema: newSecretSchema } },
      refuses: ["conflict", "throttled"],
    },
    async ({ actor, body, address, url }) => {
      const issuer = `Berth ${url.hostname}`;
      return jsonAnswer(await beginFactor(services, actor, { pass: body.pass, address, issuer }), { status: 201 });
    },
  );

  endpoints.add(
    {
      method: "put",
      path: OWN,
      operationId: "confirmSecondFactor",
      tag: TAG,
      summary: "Turn your second factor on with a code of it",
      access: "signed-in",
      scopes: ["write", FACTOR_SCOPE],
      body: codeBodySchema,
      answers: { 200: { description: "It is on: your recovery codes", schema: recoveryCodesSchema } },
      refuses: ["conflict", "throttled"],
    },
    async ({ actor, body, address }) => {
      const recoveryCodes = await confirmFactor(services, actor, { code: body.code, address });
      return jsonAnswer({ recoveryCodes });
    },
  );
}
