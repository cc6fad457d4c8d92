import { fileURLToPath } from "node:url";
import * as kit from "@berth/service-kit";
import { EngineError } from "../engine/errors.ts";
import type * as schema from "./schema.ts";

export type Database = kit.Database<typeof schema>;

export interface OpenDatabase {
  readonly db: Database;
  close(): Promise<void>;
}

/** The folder of committed migrations, the same seen from `src/db` and from `dist/db`. */
export const MIGRATIONS_FOLDER = fileURLToPath(new URL("../../drizzle", import.meta.url));

/** Sessions run in UTC, so the database's text differs from RFC 3339 by two characters. */
export function rfc3339(timestamp: string): string {
  return `${timestamp.replace(" ", "T").replace(/[+-]00(:00)?$/, "")}Z`;
}

/** The same store, which throws an `EngineError` for the client if the database is away or full. */
export function withOutages<Store extends object>(store: Store): Store {
  const methods = Object.entries(store).map(([name, method]) => [
    name,
    async (...args: unknown[]) => {
      try {
        return await method(...args);
      } catch (thrown) {
        const outage = kit.databaseOutage(thrown);
        if (outage === undefined) throw thrown;
        throw new EngineError(outage.kind, outage.message, { cause: thrown });
      }
    },
  ]);
  return Object.fromEntries(methods);
}
