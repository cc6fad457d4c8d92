import { z } from "@hono/zod-openapi";
import { hostsFor, usageOf, usersOn } from "../accounts/hosts.ts";
import { REPORT_SCOPE } from "../accounts/records.ts";
import { DirectoryError } from "../errors/directory-error.ts";
import { jsonAnswer, noContent } from "../http/answer.ts";
import type { Endpoints } from "../http/endpoint.ts";
import { hostReportSchema, hostSchema, showHost, usageSchema } from "../http/schemas/host.ts";
import type { Services } from "./services.ts";

const TAG = "Hosts";
const HOST_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$/;
/** Room for the most containers and ports, each with long names. */
const MAX_REPORT_BYTES = 16 * 1024 * 1024;

/** @throws `malformed` unless the text can name a host. */
export function requireHostName(name: string): void {
  if (HOST_NAME.test(name)) return;
  throw new DirectoryError("malformed", "The host's name must be letters, digits and . _ - only.", {
    errors: [{ parameter: "name", detail: "must be letters, digits and . _ - only" }],
  });
}

export function hostRoutes(endpoints: Endpoints, services: Services): void {
  const { records, effectiveOf } = services;

  endpoints.add(
    {
      method: "put",
      path: "/api/hosts/{name}/report",
      operationId: "reportHost",
      tag: TAG,
      summary: "Report what a container service has: containers, ports, and what their owners use",
      access: "reader",
      scopes: [REPORT_SCOPE],
      body: hostReportSchema,
      maxBodyBytes: MAX_REPORT_BYTES,
      answers: { 204: { description: "Kept instead of the host's last report" } },
    },
    async ({ name, body }) => {
      requireHostName(name);
      await records.hosts.put(name, body);
      return noContent();
    },
  );

  endpoints.add(
    {
      method: "get",
      path: "/api/hosts",
      tag: TAG,
      summary: "List what the hosts last reported; users see what is their own, or reserved for them",
      access: "signed-in",
      answers: { 200: { description: "The hosts", schema: z.array(hostSchema) } },
    },
    async ({ actor }) => {
      const hosts = await hostsFor(services, actor);
      const logins = await records.users.logins(usersOn(hosts));
      return jsonAnswer(hosts.map((host) => showHost(host, logins)));
    },
  );

  endpoints.add(
    {
      method: "get",
      path: "/api/usage",
      operationId: "listUsage",
      tag: TAG,
      summary: "List what users' containers use on all hosts, and their quotas; users see their own",
      access: "signed-in",
      answers: { 200: { description: "The users that have containers", schema: z.array(usageSchema) } },
    },
    async ({ actor }) => {
      const usage = await usageOf(await hostsFor(services, actor), effectiveOf);
      const logins = await records.users.logins(usage.map(({ userId }) => userId));
      return jsonAnswer(
        usage.map(({ userId, ...rest }) => ({ user: { id: userId, login: logins.get(userId) ?? "" }, ...rest })),
      );
    },
  );
}
