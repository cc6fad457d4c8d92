import { omitUndefined } from "@berth/service-kit/omit-undefined";
import { z } from "@hono/zod-openapi";
import type { Endpoints } from "../http/endpoint.ts";
import { listAnswer } from "../http/list.ts";
import { auditEntrySchema, auditQuerySchema } from "../http/schemas/audit.ts";
import type { Services } from "./services.ts";

export function auditRoutes(endpoints: Endpoints, services: Services): void {
  endpoints.add(
    {
      method: "get",
      path: "/api/audit",
      operationId: "listAuditEntries",
      tag: "Audit",
      summary: "List audit entries, newest first",
      access: "reader",
      query: auditQuerySchema,
      answers: { 200: { description: "The entries", schema: z.array(auditEntrySchema) } },
    },
    (call) => {
      const { limit: _limit, cursor: _cursor, ...filter } = call.query;
      const query = omitUndefined(filter);
      return listAnswer(call, services.cursors, {
        fetch: (page) => services.records.audit.page(query, page),
        position: (entry) => ({ value: entry.id, id: entry.id }),
        show: (entry) => entry,
      });
    },
  );
}
