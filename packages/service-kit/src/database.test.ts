import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { integer, pgTable } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../tools/postgres.testing.ts";
import { openRelay, type Relay } from "../../../tools/relay.testing.ts";
import { createClient, MAY_BE_LOST, type OpenDatabase, openDatabase, privateDatabaseUrl } from "./database.ts";
import { databaseFault, databaseOutage } from "./database-fault.ts";

const counters = pgTable("counters", { value: integer().primaryKey() });
const SCHEMA = { counters };

let folder: string;
let made: TestDatabase;
let relay: Relay;
let database: OpenDatabase<typeof SCHEMA>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "berth-migrations-"));
  await mkdir(join(folder, "meta"));
  const entries = [{ idx: 0, version: "7", when: 1, tag: "0000_init", breakpoints: true }];
  await writeFile(join(folder, "meta/_journal.json"), JSON.stringify({ version: "7", dialect: "postgresql", entries }));
  await writeFile(join(folder, "0000_init.sql"), "create table counters (value integer primary key)");
  made = await createTestDatabase();
  relay = await openRelay(made.url);
  database = await openDatabase(optionsOf(relay.url));
});
afterAll(async () => {
  await database.close();
  await relay.close();
  await made.drop();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  await database.db.delete(counters);
});

function optionsOf(url: string) {
  const migrations = { migrationsFolder: folder };
  return { url, application: "kit-test", connections: 2, schema: SCHEMA, migrations };
}

async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
}

it("has no plan compiled, where the database would", async () => {
  await database.sql.unsafe(`alter database ${new URL(made.url).pathname.slice(1)} set jit = on`);
  const opened = await openDatabase(optionsOf(made.url));
  expect(await opened.sql`show jit`).toEqual([{ jit: "off" }]);
  await opened.close();
});

it("refuses a database that a newer version has migrated, and leaves it as it is", async () => {
  const newer = { hash: "newer", created_at: 2 };
  await database.sql`insert into drizzle.__drizzle_migrations ${database.sql(newer)}`;
  await expect(openDatabase(optionsOf(made.url))).rejects.toThrow(
    "was changed by a newer version of Berth: install that",
  );
  await database.sql`delete from drizzle.__drizzle_migrations where hash = 'newer'`;
  await (await openDatabase(optionsOf(made.url))).close();
});

describe("a database that goes away", () => {
  it("fails requests with an outage, and serves them again when it is back", async () => {
    await relay.close();
    const read = () => database.db.select().from(counters);
    const change = () => database.db.transaction((tx) => tx.insert(counters).values({ value: 1 }));
    for (const work of [read, change, read, change]) {
      const thrown = await thrownBy(work());
      expect(databaseOutage(thrown), String(thrown)).toEqual({
        kind: "unavailable",
        message: "database unavailable: try again in a moment",
      });
    }
    await relay.open();
    await expect.poll(() => thrownBy(change())).toBeUndefined();
    expect(await read()).toEqual([{ value: 1 }]);
  });

  it("fails what is under way when its connection is cut", async () => {
    const sleeping = thrownBy(database.db.execute(sql`select pg_sleep(60)`));
    const other = createClient(made.url, { max: 1 });
    await expect
      .poll(
        () =>
          other`select pid from pg_stat_activity where query = 'select pg_sleep(60)' and application_name = 'kit-test'`,
      )
      .toHaveLength(1);
    relay.cutClients();
    expect(databaseOutage(await sleeping)).toMatchObject({ kind: "unavailable" });
    await other`select pg_terminate_backend(pid) from pg_stat_activity where query = 'select pg_sleep(60)'`;
    await other.end();
  });

  it("is found again by a connection that was cut while it wrote", async () => {
    const client = createClient(relay.url, { max: 1, connect_timeout: 2 });
    for (let round = 0; round < 8; round++) {
      await client`select 1`;
      let isCut = false;
      const asking = (async () => {
        while (!isCut) {
          client`select ${round}::int`.catch(() => {});
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
      await delay(5);
      relay.cutClients();
      await delay(5);
      isCut = true;
      await asking;
      await expect.poll(() => thrownBy(client`select 1`), { timeout: 10_000 }).toBeUndefined();
    }
    await client.end({ timeout: 5 });
  });

  it("runs no statement of a transaction whose connection was cut, not on a new connection either", async () => {
    const opened = await openDatabase({ ...optionsOf(made.url), application: "kit-cut", connections: 1 });
    let told: (thrown: unknown) => void = () => {};
    const late = new Promise<unknown>((resolve) => {
      told = resolve;
    });
    const transaction = opened.db.transaction(async (tx) => {
      await tx.insert(counters).values({ value: 1 });
      await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'kit-cut'`;
      await expect.poll(() => thrownBy(opened.db.select().from(counters))).toBeUndefined();
      told(await thrownBy(tx.insert(counters).values({ value: 2 })));
    });
    expect(databaseOutage(await thrownBy(transaction))).toMatchObject({ kind: "unavailable" });
    expect(databaseOutage(await late)).toMatchObject({ kind: "unavailable" });
    expect(await opened.db.select().from(counters)).toEqual([]);
    await opened.close();
  });

  it("is found again by a connection that was cut in the middle of a transaction", async () => {
    const client = createClient(relay.url, { max: 2, connect_timeout: 2 });
    for (let round = 0; round < 8; round++) {
      let isCut = false;
      const changing = Array.from({ length: 4 }, async () => {
        while (!isCut)
          await thrownBy(
            client.begin(async (tx) => {
              for (let value = 0; value < 3; value++) await tx`select ${value}::int`;
            }),
          );
      });
      await delay(20);
      relay.cutClients();
      await delay(5);
      isCut = true;
      await Promise.all(changing);
      await expect.poll(() => thrownBy(client`select 1`), { timeout: 10_000 }).toBeUndefined();
    }
    await client.end({ timeout: 5 });
  });

  it("is waited for by a service that starts", async () => {
    await relay.close();
    const opening = openDatabase(optionsOf(relay.url));
    await relay.open();
    await (await opening).close();
  });
});

const FAULTS: readonly [string, string, string | undefined][] = [
  ["the server shuts down", "57P01", "unavailable"],
  ["the server starts", "57P03", "unavailable"],
  ["there are too many connections", "53300", "unavailable"],
  ["the disk is full", "53100", "full"],
  ["a unique index refuses", "23505", undefined],
  ["a page is damaged", "XX001", undefined],
];

it.each(FAULTS)("knows an outage by the database's own code: %s", async (_, code, kind) => {
  const raised = sql.raw(`do $$ begin raise exception using errcode = '${code}', constraint = 'c'; end $$`);
  const thrown = await thrownBy(database.db.execute(raised));
  expect(databaseFault(thrown)).toEqual({ code, constraint: "c" });
  expect(databaseOutage(thrown)?.kind).toBe(kind);
});

test("another socket's fault is none of the database", async () => {
  const thrown = await thrownBy(fetch("http://127.0.0.1:1"));
  expect(databaseOutage(thrown)).toBeUndefined();
  expect(databaseFault(thrown)).toBeUndefined();
});

test("a commit that may be lost does not wait for the disk, and the next one waits again", async () => {
  const { db } = database;
  const mode = { mode: sql<string>`current_setting('synchronous_commit')` };
  await db.insert(counters).values({ value: 1 });
  expect(await db.update(counters).set({ value: 2 }).where(MAY_BE_LOST).returning(mode)).toEqual([{ mode: "off" }]);
  expect(await db.update(counters).set({ value: 3 }).returning(mode)).toEqual([{ mode: "on" }]);
  expect(await db.select().from(counters)).toEqual([{ value: 3 }]);
});

test("the private database is behind a socket in the run folder", () => {
  expect(privateDatabaseUrl("/run/berth")).toBe("postgres://berth@%2Frun%2Fberth%2Fpostgres/berth");
});
