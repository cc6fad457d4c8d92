import * as kit from "@berth/service-kit";
import { MIGRATIONS_FOLDER, type OpenDatabase } from "./database.ts";
import * as schema from "./schema.ts";

/** Connects to the Postgres at `url` and brings its schema up to date. */
export async function openPostgres(url: string): Promise<OpenDatabase> {
  return await kit.openDatabase({
    url,
    application: "berth-container",
    // More connections than cores cost more than they give: the service's own work is short and serial per container.
    connections: 4,
    schema,
    migrations: { migrationsFolder: MIGRATIONS_FOLDER },
  });
}
