import { createTestDatabase } from "../../../../tools/postgres.testing.ts";
import type { OpenDatabase } from "./database.ts";
import { openPglite } from "./pglite.ts";
import { openPostgres } from "./postgres.ts";

/** What the stores speak to: their tests run on each. */
export const DATABASES = ["PGlite", "Postgres"] as const;

/** An empty database of its own, gone when closed. Postgres where either would do: on a busy machine it is there sooner. */
export async function openTestDatabase(kind: (typeof DATABASES)[number] = "Postgres"): Promise<OpenDatabase> {
  if (kind === "PGlite") return await openPglite();
  const test = await createTestDatabase();
  const { db, close } = await openPostgres(test.url);
  return {
    db,
    close: async () => {
      await close();
      await test.drop();
    },
  };
}
