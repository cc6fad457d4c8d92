import { openEmbedded } from "@berth/service-kit";
import { drizzle } from "drizzle-orm/pglite";
import { migrate } from "drizzle-orm/pglite/migrator";
import { MIGRATIONS, type OpenDatabase, POLICY_CHANNEL } from "./database.ts";
import * as schema from "./schema.ts";

/** Opens the embedded database in `folder`, or in memory without one, and brings its schema up to date. */
export async function openPglite(folder?: string): Promise<OpenDatabase> {
  const pglite = await openEmbedded(folder);
  const db = drizzle(pglite, { schema });
  await migrate(db, MIGRATIONS);
  return {
    db,
    // One process, one connection: no announcement is ever missed.
    async listen(onMessage) {
      const stop = await pglite.listen(POLICY_CHANNEL, onMessage);
      return { isHearing: () => true, stop };
    },
    close: () => pglite.close(),
  };
}
