import { openEmbedded } from "@berth/service-kit";
import { drizzle } from "drizzle-orm/pglite";
import { migrate } from "drizzle-orm/pglite/migrator";
import { MIGRATIONS_FOLDER, type OpenDatabase } from "./database.ts";
import * as schema from "./schema.ts";

/** Opens the embedded database in `folder` (made when absent), or in memory, and brings its schema up to date. */
export async function openPglite(folder?: string): Promise<OpenDatabase> {
  const client = await openEmbedded(folder);
  const db = drizzle(client, { schema });
  await migrate(db, { migrationsFolder: MIGRATIONS_FOLDER });
  return { db, close: () => client.close() };
}
