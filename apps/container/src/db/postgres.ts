import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { MIGRATIONS_FOLDER, type OpenDatabase } from "./database.ts";
import * as schema from "./schema.ts";

/** Connects to the Postgres at `url` and brings its schema up to date. */
export async function openPostgres(url: string): Promise<OpenDatabase> {
  // More connections than cores cost more than they give: the service's own work is short and serial per container.
  const client = postgres(url, { max: 4, connection: { TimeZone: "UTC" }, onnotice: () => {} });
  const db = drizzle(client, { schema });
  await migrate(db, { migrationsFolder: MIGRATIONS_FOLDER });
  return { db, close: () => client.end({ timeout: 5 }) };
}
