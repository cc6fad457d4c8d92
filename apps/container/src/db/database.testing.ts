import { createTestDatabase } from "../../../../tools/postgres.testing.ts";
import type { OpenDatabase } from "./database.ts";
import { openPostgres } from "./postgres.ts";

/** An empty database of its own, gone when closed. */
export async function openTestDatabase(): Promise<OpenDatabase> {
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
