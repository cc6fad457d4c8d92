import { z } from "@hono/zod-openapi";
import { requireScope } from "../accounts/access.ts";
import { DirectoryError } from "../errors/directory-error.ts";
import { jsonAnswer, streamAnswer } from "../http/answer.ts";
import type { Endpoints } from "../http/endpoint.ts";
import { FLAG_SCHEMA } from "../http/schemas/common.ts";
import { NDJSON_TYPE } from "../http/user-lines.ts";
import { exportDirectory } from "../transfer/export-directory.ts";
import { EXISTING, importDirectory } from "../transfer/import-directory.ts";
import { withCheckedLines } from "../transfer/read-lines.ts";
import type { Services } from "./services.ts";

const TAG = "Import and export";

export function directoryTransferRoutes(endpoints: Endpoints, services: Services): void {
  endpoints.add(
    {
      method: "get",
      path: "/api/export",
      operationId: "exportDirectory",
      tag: TAG,
      summary: "Export users, groups, memberships and constraints as JSON lines; password hashes need the scope write",
      access: "admin",
      query: z.strictObject({ passwords: FLAG_SCHEMA.optional() }),
      answers: { 200: { description: "The directory", schema: z.string(), mediaType: NDJSON_TYPE } },
    },
    (call) => {
      const passwords = call.query.passwords === true;
      if (passwords) requireScope(call.actor, ["write"]);
      return streamAnswer(call, exportDirectory(services, call.actor, { passwords }), NDJSON_TYPE);
    },
  );

  endpoints.add(
    {
      method: "post",
      path: "/api/import",
      operationId: "importDirectory",
      tag: TAG,
      summary: "Import an export, all of it or none; existing users and groups are refused, kept or replaced",
      access: "admin",
      query: z.strictObject({ existing: z.enum(EXISTING).default("refuse") }),
      uploads: [NDJSON_TYPE],
      answers: {
        200: {
          description: "How many were written",
          schema: z
            .object({
              users: z.int(),
              groups: z.int(),
              subgroups: z.int(),
              memberships: z.int(),
              constraints: z.int(),
              kept: z.int(),
            })
            .openapi("ImportedDirectory"),
        },
      },
      refuses: ["conflict"],
    },
    async (call) => {
      const type = (call.request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
      if (type !== NDJSON_TYPE) throw new DirectoryError("unsupported-media-type", `Send the body as ${NDJSON_TYPE}.`);
      const imported = await withCheckedLines(call.request.body, (batches) =>
        importDirectory(services, call.actor, batches, call.query.existing),
      );
      return jsonAnswer(imported);
    },
  );
}
