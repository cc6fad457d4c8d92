import { eq } from "drizzle-orm";
import type { VolumeStore } from "../volumes/volumes-service.ts";
import { type Database, rfc3339, withOutages } from "./database.ts";
import { volumes } from "./schema.ts";

/** The volumes' rows, by folder. */
export function createVolumeStore(db: Database): VolumeStore {
  return withOutages({
    load: async () =>
      (await db.select().from(volumes)).map((row) => ({
        ...row,
        owner: row.owner ?? undefined,
        createdAt: rfc3339(row.createdAt),
      })),
    insert: async (volume) => {
      await db.insert(volumes).values(volume);
    },
    delete: async (folder) => {
      await db.delete(volumes).where(eq(volumes.folder, folder));
    },
  });
}
