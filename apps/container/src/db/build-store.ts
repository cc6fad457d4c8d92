import { eq } from "drizzle-orm";
import { z } from "zod";
import type { BuildStore } from "../builds/store.ts";
import { type Database, rfc3339, withOutages } from "./database.ts";
import { builds } from "./schema.ts";

const descriptor = z.object({ mediaType: z.string(), digest: z.string(), size: z.number() });
const result = z.object({
  imageId: z.string(),
  index: descriptor.optional(),
  names: z.array(z.string()),
  namer: z.string().optional(),
});

/** The rows of builds in progress. */
export function createBuildStore(db: Database): BuildStore {
  return withOutages({
    load: async () =>
      (await db.select().from(builds)).map((row) => {
        const noted = result.safeParse(row.result);
        return {
          id: row.id,
          owner: row.owner ?? undefined,
          createdAt: rfc3339(row.createdAt),
          result: noted.success ? { ...noted.data, namer: noted.data.namer } : undefined,
        };
      }),
    insert: async (row) => {
      await db.insert(builds).values(row);
    },
    note: async (id, result) => {
      await db.update(builds).set({ result }).where(eq(builds.id, id));
    },
    delete: async (id) => {
      await db.delete(builds).where(eq(builds.id, id));
    },
  });
}
