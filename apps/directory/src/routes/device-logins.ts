import { jsonAnswer, noContent } from "../http/answer.ts";
import type { Endpoints } from "../http/endpoint.ts";
import {
  deviceAnswerSchema,
  deviceCodeSchema,
  deviceLoginSchema,
  newDeviceLoginSchema,
  startedDeviceLoginSchema,
} from "../http/schemas/sign-in.ts";
import { sessionSchema } from "../http/schemas/token.ts";
import { showUser } from "../http/schemas/user.ts";
import { answerDeviceLogin, findDeviceLogin, finishDeviceLogin, startDeviceLogin } from "../sign-in/device-login.ts";
import type { Services } from "./services.ts";

const TAG = "Sessions";
/** How often a command asks whether it is signed in. */
const INTERVAL_SECONDS = 2;

/** The sign-in of commands, as RFC 8628 has it: a command shows a code, and its user approves it in a browser. */
export function deviceLoginRoutes(endpoints: Endpoints, services: Services): void {
  endpoints.open(
    {
      method: "post",
      path: "/api/device-logins",
      operationId: "startDeviceLogin",
      tag: TAG,
      summary: "Let a command wait until its user approves in a browser that it signs in",
      access: "anyone",
      body: newDeviceLoginSchema,
      answers: { 201: { description: "The codes", schema: startedDeviceLoginSchema } },
      refuses: ["throttled"],
    },
    async ({ body, address }) => {
      const { deviceCode, userCode, expiresAt } = await startDeviceLogin(services, { label: body.label, address });
      const shown = `${userCode.slice(0, 4)}-${userCode.slice(4)}`;
      const path = `/device?code=${shown}`;
      return jsonAnswer({ deviceCode, userCode: shown, path, expiresAt, interval: INTERVAL_SECONDS }, { status: 201 });
    },
  );

  endpoints.open(
    {
      method: "post",
      path: "/api/device-logins/token",
      operationId: "finishDeviceLogin",
      tag: TAG,
      summary: "Fetch the token of a command that its user has approved, once",
      access: "anyone",
      body: deviceCodeSchema,
      answers: {
        200: { description: "The token", schema: sessionSchema },
        202: { description: "Nobody has answered yet" },
      },
      refuses: ["not-found", "forbidden"],
    },
    async ({ body }) => {
      const issued = await finishDeviceLogin(services, body.deviceCode);
      if (issued === undefined) return new Response(null, { status: 202 });
      const { token, record, user } = issued;
      return jsonAnswer({ token, expiresAt: record.expiresAt, user: showUser(user) });
    },
  );

  endpoints.add(
    {
      method: "get",
      path: "/api/device-logins/{name}",
      tag: TAG,
      summary: "Read which command waits with a code",
      access: "signed-in",
      answers: { 200: { description: "The command", schema: deviceLoginSchema } },
      refuses: ["not-found"],
    },
    async ({ name }) => {
      const { label, address, expiresAt } = await findDeviceLogin(services, name);
      return jsonAnswer({ label, address, expiresAt });
    },
  );

  endpoints.add(
    {
      method: "put",
      path: "/api/device-logins/{name}",
      operationId: "answerDeviceLogin",
      tag: TAG,
      summary: "Approve that the command acts as you from now on, or decline",
      access: "signed-in",
      body: deviceAnswerSchema,
      answers: { 204: { description: "Answered" } },
      refuses: ["not-found"],
    },
    async ({ name, body, actor }) => {
      await answerDeviceLogin(services, actor, { userCode: name, answer: body.answer });
      return noContent();
    },
  );
}
