import { openDatabase } from "@berth/service-kit";
import type { Signal } from "../fleet/signals.ts";
import { MIGRATIONS, type OpenDatabase, POLICY_CHANNEL } from "./database.ts";
import { FeedHeartbeat } from "./feed-heartbeat.ts";
import { FLEET_CHANNEL } from "./fleet/parts.ts";
import * as schema from "./schema.ts";

/**
 * Connects to Postgres and applies pending migrations, under a lock that serialises services starting at the same time.
 * @param connections the pool's size: a few per processor; more only contend.
 */
export async function openPostgres(
  url: string,
  { connections }: { readonly connections: number },
): Promise<OpenDatabase> {
  const database = await openDatabase({
    url,
    application: "berth-directory",
    connections,
    schema,
    migrations: MIGRATIONS,
  });
  const { sql } = database;
  return {
    db: database.db,
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
    async listenToFleet(hear, onGap) {
      const { unlisten } = await sql.listen(FLEET_CHANNEL, (payload) => hear(JSON.parse(payload) as Signal), onGap);
      return unlisten;
    },
    close: database.close,
  };
}
