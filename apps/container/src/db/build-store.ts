import { eq } from "drizzle-orm";
import type { BuildStore } from "../builds/store.ts";
import { type Database, rfc3339, withOutages } from "./database.ts";
import { builds } from "./schema.ts";

/** The rows of builds in progress. */
export function createBuildStore(db: Database): BuildStore {
  return withOutages({
    load: async () =>
      (await db.select().from(builds)).map((row) => ({
        ...row,
        owner: row.owner ?? undefined,
        createdAt: rfc3339(row.createdAt),
      })),
    insert: async (row) => {
      await db.insert(builds).values(row);
    },
    delete: async (id) => {
      await db.delete(builds).where(eq(builds.id, id));
    },
  });
}
