import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { MIGRATIONS, type OpenDatabase, POLICY_CHANNEL } from "./database.ts";
import { startHeartbeat } from "./feed-heartbeat.ts";
import * as schema from "./schema.ts";

// Any number will do, as long as no other use of advisory locks in this database has it.
const MIGRATION_LOCK = 7_780_001;

/**
 * Connects to Postgres and brings its schema up to date, one starting service at a time.
 * @param connections how many connections to keep: a few per processor; more only wait for each other.
 */
export async function openPostgres(
  url: string,
  { connections }: { readonly connections: number },
): Promise<OpenDatabase> {
  const sql = postgres(url, {
    max: connections,
    onnotice: () => {},
    connection: { application_name: "berth-directory", jit: false },
  });
  try {
    await migrateOnce(url);
  } catch (cause) {
    await sql.end({ timeout: 1 });
    throw cause;
  }
  return {
    db: drizzle(sql, { schema }),
    // postgres.js listens on a connection of its own and calls `onlisten` again whenever it had to reconnect.
    async listen(onMessage, onGap) {
      const hearing = startHeartbeat((beat) => sql.notify(POLICY_CHANNEL, beat));
      const hear = (payload: string) => void (hearing.takes(payload) || onMessage(payload));
      const { unlisten } = await sql.listen(POLICY_CHANNEL, hear, () => {
        hearing.missed();
        onGap();
      });
      return {
        isHearing: hearing.isHearing,
        async stop() {
          hearing.stop();
          await unlisten();
        },
      };
    },
    close: () => sql.end({ timeout: 5 }),
  };
}

async function migrateOnce(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await migrate(drizzle(sql, { schema }), MIGRATIONS);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
