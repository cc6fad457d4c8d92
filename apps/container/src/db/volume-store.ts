import { eq } from "drizzle-orm";
import type { VolumeStore } from "../volumes/volumes-service.ts";
import { type Database, rfc3339, withOutages } from "./database.ts";
import { readColumns, versionOf } from "./rows/row-kind.ts";
import { VOLUME_ROW } from "./rows/volume-row.ts";
import { volumes } from "./schema.ts";

/** The volumes' rows, by folder. */
export function createVolumeStore(db: Database): VolumeStore {
  return withOutages({
    load: async () =>
      (await db.select().from(volumes)).map(({ version, ...row }) => ({
        ...row,
        ...readColumns(VOLUME_ROW, row.name, { ...row, version }),
        owner: row.owner ?? undefined,
        createdAt: rfc3339(row.createdAt),
      })),
    insert: async (volume) => {
      await db
        .insert(volumes)
        .values({ ...volume, version: versionOf(VOLUME_ROW) })
        .onConflictDoNothing({ target: volumes.folder });
    },
    delete: async (folder) => {
      await db.delete(volumes).where(eq(volumes.folder, folder));
    },
  });
}
