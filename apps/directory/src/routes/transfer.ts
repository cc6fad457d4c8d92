import { formatFieldValue } from "@berth/directory-domain";
import { z } from "@hono/zod-openapi";
import { stringify } from "csv-stringify/sync";
import { importUsers } from "../accounts/import-users.ts";
import type { UserRecord } from "../accounts/records.ts";
import { DirectoryError } from "../errors/directory-error.ts";
import { problemAnswer } from "../errors/problem.ts";
import { jsonAnswer, streamAnswer } from "../http/answer.ts";
import type { Call, Endpoints } from "../http/endpoint.ts";
import { showUser } from "../http/schemas/user.ts";
import { CSV_COLUMNS, CSV_TYPE, escapeCell, FIELD_COLUMN, NDJSON_TYPE, spoolUsers } from "../http/user-lines.ts";
import type { Services } from "./services.ts";

const TAG = "Import and export";
const BATCH = 1_000;

export function transferRoutes(endpoints: Endpoints, services: Services): void {
  endpoints.add(
    {
      method: "get",
      path: "/api/export/users",
      operationId: "exportUsers",
      tag: TAG,
      summary: "Export all users, one per line, without passwords",
      access: "reader",
      query: z.strictObject({ format: z.enum(["json", "csv"]).default("json") }),
      answers: { 200: { description: "The users", schema: z.string(), mediaType: [NDJSON_TYPE, CSV_TYPE] } },
    },
    async (call) => {
      if (call.query.format === "json")
        return streamAnswer(
          call,
          exported(services, "", (users) => users.map(jsonLine).join("")),
          NDJSON_TYPE,
        );
      const names = await services.records.users.fieldNames();
      const header = stringify([[...CSV_COLUMNS, ...names.map((name) => FIELD_COLUMN + name)]]);
      return streamAnswer(
        call,
        exported(services, header, (users) => csvLines(users, names)),
        `${CSV_TYPE}; charset=utf-8`,
      );
    },
  );

  endpoints.add(
    {
      method: "post",
      path: "/api/import/users",
      operationId: "importUsers",
      tag: TAG,
      summary: "Import users, all or none; with Accept: application/x-ndjson the answer streams its progress",
      access: "admin",
      uploads: [NDJSON_TYPE, CSV_TYPE],
      answers: {
        200: {
          description: "How many were created",
          schema: z.object({ imported: z.int() }),
          alsoAs: [NDJSON_TYPE],
        },
      },
      refuses: ["conflict"],
    },
    async (call) => {
      const { request, actor } = call;
      const type = uploadType(request);
      const work = async (onProgress: (progress: object) => void) => {
        const spooled = await spoolUsers(request.body, type, (checked) => onProgress({ checked }));
        try {
          return await importUsers(services, actor, spooled.batches, (written) => onProgress({ written }));
        } finally {
          await spooled.remove();
        }
      };
      if (!request.headers.get("accept")?.includes(NDJSON_TYPE)) return jsonAnswer({ imported: await work(() => {}) });
      return streamAnswer(call, progressLines(work, call), NDJSON_TYPE);
    },
  );
}

function uploadType(request: Request): string {
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type === NDJSON_TYPE || type === CSV_TYPE) return type;
  throw new DirectoryError("unsupported-media-type", `Send the body as ${NDJSON_TYPE} or ${CSV_TYPE}.`);
}

function jsonLine(user: UserRecord) {
  return `${JSON.stringify(showUser(user))}\n`;
}
function csvLines(users: readonly UserRecord[], names: readonly string[]) {
  return stringify(
    users.map((user) => [
      ...CSV_COLUMNS.map((column) => cell(user[column])),
      ...names.map((name) => {
        const value = user.fields[name];
        return value === undefined ? "" : escapeCell(formatFieldValue(value));
      }),
    ]),
  );
}
function cell(value: string | boolean | null) {
  return value === null ? "" : escapeCell(String(value));
}

async function* exported(
  { records }: Services,
  header: string,
  show: (users: readonly UserRecord[]) => string,
): AsyncGenerator<string> {
  const query = { sort: { by: "id", order: "ascending" } } as const;
  let users = await records.users.page(query, { limit: BATCH });
  yield header + show(users);
  for (let last = users.at(-1); last !== undefined; last = users.at(-1)) {
    users = await records.users.page(query, { limit: BATCH, after: { value: last.id, id: last.id } });
    if (users.length > 0) yield show(users);
  }
}

/**
 * Streams the latest progress as fast as the reader takes it. The last line is the outcome, since the status was sent
 * before it was known.
 */
async function* progressLines(
  work: (tell: (progress: object) => void) => Promise<number>,
  { url, onFault }: Pick<Call<unknown, unknown>, "url" | "onFault">,
): AsyncGenerator<string> {
  let latest: object | undefined;
  let ended = false;
  let wake = () => {};
  const outcome = work((progress) => {
    latest = progress;
    wake();
  })
    .then((imported) => ({ imported }))
    .catch(async (fault: unknown) => {
      if (!(fault instanceof DirectoryError)) onFault(fault);
      return { problem: await problemAnswer(fault, url.pathname).json() };
    })
    .finally(() => {
      ended = true;
      wake();
    });
  while (!ended || latest !== undefined) {
    const progress = latest;
    latest = undefined;
    if (progress !== undefined) yield `${JSON.stringify({ progress })}\n`;
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
  yield `${JSON.stringify(await outcome)}\n`;
}
