import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { MIGRATIONS, type OpenDatabase, POLICY_CHANNEL } from "./database.ts";
import { FeedHeartbeat } from "./feed-heartbeat.ts";
import * as schema from "./schema.ts";

// Arbitrary, but must be unique among users of advisory locks in this database.
const MIGRATION_LOCK = 7_780_001;

/**
 * Connects to Postgres and applies pending migrations, under a lock that serialises services starting at the same time.
 * @param connections the pool's size: a few per processor; more only contend.
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
    // postgres.js listens on a dedicated connection and calls `onlisten` again after each reconnect.
    async listen(onMessage, onGap) {
      const heartbeat = new FeedHeartbeat((beat) => sql.notify(POLICY_CHANNEL, beat));
      const hear = (payload: string) => void (heartbeat.receive(payload) || onMessage(payload));
      const { unlisten } = await sql.listen(POLICY_CHANNEL, hear, () => {
        heartbeat.reset();
        onGap();
      });
      return {
        isLive: () => heartbeat.isLive(),
        async stop() {
          heartbeat.stop();
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
