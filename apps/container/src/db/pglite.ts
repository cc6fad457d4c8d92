import { PGlite } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import { migrate } from "drizzle-orm/pglite/migrator";
import { migrationsFolder, type OpenDatabase } from "./database.ts";
import { fresh, makeFolder } from "./fresh-database.ts";
import * as schema from "./schema.ts";

/** Opens the embedded database in `folder` (made when absent), or in memory, and brings its schema up to date. */
export const openPglite = async (folder?: string): Promise<OpenDatabase> => {
  if (folder !== undefined) await makeFolder(folder);
  const client = await PGlite.create(folder === undefined ? await fresh() : { dataDir: folder });
  const db = drizzle(client, { schema });
  await migrate(db, { migrationsFolder });
  return { db, close: () => client.close() };
};
