import { openEmbedded } from "@berth/service-kit";
import { drizzle } from "drizzle-orm/pglite";
import { migrate } from "drizzle-orm/pglite/migrator";
import { MIGRATIONS, type OpenDatabase, POLICY_CHANNEL } from "./database.ts";
import * as schema from "./schema.ts";

/** Opens the embedded database in `folder`, or in memory without one, and applies pending migrations. */
export async function openPglite(folder?: string): Promise<OpenDatabase> {
  const pglite = await openEmbedded(folder);
  const db = drizzle(pglite, { schema });
  await migrate(db, MIGRATIONS);
  return {
    db,
    // One process with one connection misses no announcement.
    async listen(onMessage) {
      const stop = await pglite.listen(POLICY_CHANNEL, onMessage);
      return { isLive: () => true, stop };
    },
    close: () => pglite.close(),
  };
}
