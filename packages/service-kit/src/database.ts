import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import type { MigrationConfig } from "drizzle-orm/migrator";
import type { PgDatabase } from "drizzle-orm/pg-core";
import { drizzle, type PostgresJsQueryResultHKT } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres, { type Options, type PostgresType, type Sql } from "postgres";
import { databaseOutage } from "./database-fault.ts";

/** A database, or a transaction in it. */
export type Database<S extends Record<string, unknown>> = PgDatabase<PostgresJsQueryResultHKT, S>;

export interface OpenDatabase<S extends Record<string, unknown>> {
  readonly db: Database<S>;
  /** The driver's client, for what Drizzle has no word for. */
  readonly sql: Sql;
  close(): Promise<void>;
}

export interface DatabaseOptions<S extends Record<string, unknown>> {
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly application: string;
  /** At most so many; opened as they are needed. */
  readonly connections: number;
  readonly schema: S;
  readonly migrations: MigrationConfig;
}

/** Any number will do, as long as no other use of advisory locks in this database has it. */
const MIGRATION_LOCK = 7_780_001;

/** Postgres may be starting, or recovering from a crash. */
const PATIENCE_MS = 20_000;
const RETRY_MS = 50;

/**
 * Connects to the Postgres at `options.url` and brings its schema up to date, one starting service at a time. Waits for one that is
 * away, as `whenAvailable` does. Throws where a newer version has changed the schema: this one would misread what it does not know.
 */
export async function openDatabase<S extends Record<string, unknown>>(
  options: DatabaseOptions<S>,
): Promise<OpenDatabase<S>> {
  const { url, application, connections, schema, migrations } = options;
  await whenAvailable(url, () => migrateOnce(url, schema, migrations));
  const client = createClient(url, {
    max: connections,
    // A text: postgres.js leaves out what is false. To compile a plan costs seconds, and running it milliseconds.
    connection: { application_name: application, TimeZone: "UTC", jit: "off" },
  });
  return { db: drizzle(client, { schema }), sql: client, close: () => client.end({ timeout: 5 }) };
}

/**
 * A client of the Postgres at `url`, which connects when it is first used. A request to a database that is away fails within a second,
 * and one that is back is found within a tenth of one. The host of the URL may be a Unix socket's folder, encoded.
 */
export function createClient(url: string, options: Options<Record<string, PostgresType>> = {}): Sql {
  const host = decodeURIComponent(new URL(url).hostname);
  return postgres(url, {
    // postgres.js itself does not decode it.
    ...(host.startsWith("/") ? { host } : {}),
    connect_timeout: 5,
    backoff: () => 0.1,
    onnotice: () => {},
    // Drizzle reads and writes arrays itself; a connection cut while it asks for their types would end the process.
    fetch_types: false,
    ...options,
  });
}

/** Where Berth's private Postgres listens: the URL of its database, behind the Unix socket in the run folder. */
export function privateDatabaseUrl(runFolder: string): string {
  return `postgres://berth@${encodeURIComponent(join(runFolder, "postgres"))}/berth`;
}

/**
 * A condition that is always true, for the `where` of an update or delete that is a transaction of its own: its commit does not wait
 * for the disk. A crash of Postgres or of the machine may undo what was committed in the last half second; nothing else can be harmed.
 */
export const MAY_BE_LOST: SQL = sql`set_config('synchronous_commit', 'off', true) = 'off'`;

/**
 * Does the work as soon as the Postgres at `url` answers, and retries while it is away. After 20 seconds, throws an error that names the
 * address.
 */
export async function whenAvailable<T>(url: string, work: () => Promise<T>): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (cause) {
      if (databaseOutage(cause)?.kind !== "unavailable") throw cause;
      if (performance.now() > end) throw new Error(`no database answers at ${shownUrl(url)}: ${ADVICE}`, { cause });
      await delay(RETRY_MS);
    }
  }
}

const ADVICE = "start Berth with npm start, which runs one there, or set DATABASE_URL to a Postgres that runs";

async function migrateOnce(url: string, schema: Record<string, unknown>, migrations: MigrationConfig): Promise<void> {
  const client = createClient(url, { max: 1 });
  try {
    await client`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await refuseNewer(client, url, migrations);
    await migrate(drizzle(client, { schema }), migrations);
  } finally {
    await client.end({ timeout: 5 });
  }
}

/** Drizzle skips what it has no file for, and would go on. */
async function refuseNewer(client: Sql, url: string, config: MigrationConfig): Promise<void> {
  const { migrationsFolder, migrationsSchema = "drizzle", migrationsTable = "__drizzle_migrations" } = config;
  const journal = JSON.parse(await readFile(join(migrationsFolder, "meta/_journal.json"), "utf8")) as {
    readonly entries: readonly { readonly when: number }[];
  };
  const newest = Math.max(...journal.entries.map(({ when }) => when));
  const [table] = await client`select to_regclass(${`"${migrationsSchema}"."${migrationsTable}"`})::text as name`;
  if (table?.name === null) return;
  const [last] = await client`select max(created_at) as at from ${client(migrationsSchema)}.${client(migrationsTable)}`;
  if (Number(last?.at ?? 0) <= newest) return;
  throw new Error(
    `the database at ${shownUrl(url)} was changed by a newer version of Berth: ` +
      "install that version, or restore a back-up from before the upgrade (docs/day-two.md)",
  );
}

/** Without the password, and a socket's folder in the clear. */
function shownUrl(url: string): string {
  const { username, host, pathname } = new URL(url);
  return `postgres://${username === "" ? "" : `${username}@`}${decodeURIComponent(host)}${pathname}`;
}
