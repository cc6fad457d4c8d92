import { omitUndefined } from "@berth/service-kit/omit-undefined";
import { z } from "@hono/zod-openapi";
import { type Actor, REPORT_SCOPE } from "../accounts/records.ts";
import { DirectoryError } from "../errors/directory-error.ts";
import { noContent } from "../http/answer.ts";
import type { Endpoints } from "../http/endpoint.ts";
import { listAnswer } from "../http/list.ts";
import { auditEntrySchema, auditQuerySchema, auditReportSchema } from "../http/schemas/audit.ts";
import type { Services } from "./services.ts";

const TAG = "Audit";
/** Room for the most entries, each with the longest reason. */
const MAX_REPORT_BYTES = 2 * 1024 * 1024;

/** What a user's own query is narrowed to. @throws `forbidden` for entries of another actor. */
function ownEntries(actor: Actor, { actor: asked = actor.userId }: { readonly actor?: number | undefined }) {
  if (actor.role !== "user") return {};
  if (asked === actor.userId) return { actor: actor.userId };
  throw new DirectoryError("forbidden", "Only operators and administrators read what other users did.");
}

export function auditRoutes(endpoints: Endpoints, services: Services): void {
  endpoints.add(
    {
      method: "get",
      path: "/api/audit",
      operationId: "listAuditEntries",
      tag: TAG,
      summary: "List audit entries, newest first; users see what they did themselves, and were refused",
      access: "signed-in",
      query: auditQuerySchema,
      answers: { 200: { description: "The entries", schema: z.array(auditEntrySchema) } },
    },
    (call) => {
      const { limit: _limit, cursor: _cursor, ...filter } = call.query;
      const query = { ...omitUndefined(filter), ...ownEntries(call.actor, filter) };
      return listAnswer(call, services.cursors, {
        fetch: (page) => services.records.audit.page(query, page),
        position: (entry) => ({ value: entry.at, id: entry.id }),
        show: (entry) => entry,
      });
    },
  );

  endpoints.add(
    {
      method: "post",
      path: "/api/audit/reports",
      operationId: "reportEngineActions",
      tag: TAG,
      summary: "Report what was done on a container service; an entry that is there already is left as it is",
      access: "reader",
      scopes: [REPORT_SCOPE],
      body: auditReportSchema,
      maxBodyBytes: MAX_REPORT_BYTES,
      answers: { 204: { description: "Every entry is in the audit" } },
    },
    async ({ actor, body: { host, entries } }) => {
      await services.records.audit.report(
        entries.map(({ details, ...entry }) => ({ ...entry, after: { ...details, host, reportedBy: actor.userId } })),
      );
      return noContent();
    },
  );
}
