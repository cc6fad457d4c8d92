import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type * as schema from "./schema.ts";

/** What the stores speak to: Postgres or PGlite, the same schema and migrations on both. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>;

export interface OpenDatabase {
  readonly db: Database;
  close(): Promise<void>;
}

/** The folder of committed migrations, the same seen from `src/db` and from `dist/db`. */
export const MIGRATIONS_FOLDER = new URL("../../drizzle", import.meta.url).pathname;

/** The SQLSTATE and constraint name of a database error, however deep drizzle wrapped it; undefined for anything else. */
export function databaseFault(
  thrown: unknown,
): { readonly code: string; readonly constraint: string | undefined } | undefined {
  for (let cause = thrown; cause instanceof Error; cause = cause.cause) {
    const { code, constraint, constraint_name } = cause as {
      code?: unknown;
      constraint?: unknown;
      constraint_name?: unknown;
    };
    if (typeof code === "string" && /^[0-9A-Z]{5}$/.test(code)) {
      const name = constraint ?? constraint_name;
      return { code, constraint: typeof name === "string" ? name : undefined };
    }
  }
  return undefined;
}

/** Sessions run in UTC, so the database's text differs from RFC 3339 by two characters. */
export function rfc3339(timestamp: string): string {
  return `${timestamp.replace(" ", "T").replace(/[+-]00(:00)?$/, "")}Z`;
}
