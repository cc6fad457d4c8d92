import { createClient } from "@berth/service-kit";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../tools/postgres.testing.ts";
import { openRelay } from "../../../../tools/relay.testing.ts";
import { holdDatabase } from "./hold-database.ts";

let database: TestDatabase;
let sql: ReturnType<typeof createClient>;
let faults: Error[];
function lost(fault: Error) {
  return void faults.push(fault);
}

beforeAll(async () => {
  database = await createTestDatabase();
  sql = createClient(database.url, { max: 1 });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});
beforeEach(() => {
  faults = [];
});

/** The sessions that have the lock of this database, or wait for it. */
async function sessions(which: "granted" | "waiting"): Promise<readonly number[]> {
  const rows = await sql`
    select pid from pg_locks where locktype = 'advisory' and granted = ${which === "granted"}
      and pg_locks.database = (select oid from pg_database where datname = current_database())`;
  return rows.map(({ pid }) => pid);
}

/** Ends the holder's connection, as the death of its process does, or of Postgres. */
async function cut(): Promise<number> {
  const [pid = 0] = await sessions("granted");
  await sql`select pg_terminate_backend(${pid})`;
  return pid;
}

it("is held by one service, which the refusal names, until it is released", async () => {
  const first = await holdDatabase(database.url, lost);
  await expect(holdDatabase(database.url, lost)).rejects.toThrow(
    new RegExp(`in use by another container service \\(berth-container .*, process ${process.pid} on `),
  );
  await first.release();
  const second = await holdDatabase(database.url, lost);
  await second.release();
  expect(await sessions("granted")).toEqual([]);
  expect(faults).toEqual([]);
});

it("holds one database, and not others on the same server", async () => {
  const other = await createTestDatabase();
  const held = [await holdDatabase(database.url, lost), await holdDatabase(other.url, lost)];
  for (const one of held) await one.release();
  await other.drop();
});

it("is taken again where the connection is lost", async () => {
  const held = await holdDatabase(database.url, lost);
  const before = await cut();
  // Postgres ends the session a moment after it answered.
  await expect.poll(() => sessions("granted")).not.toContain(before);
  await expect.poll(() => sessions("granted")).toHaveLength(1);
  await expect(holdDatabase(database.url, lost)).rejects.toThrow("in use");
  await held.release();
  expect(faults).toEqual([]);
});

it("is taken again where Postgres has not noticed that the connection is gone", async () => {
  const relay = await openRelay(database.url);
  const held = await holdDatabase(relay.url, lost);
  const [before] = await sessions("granted");
  relay.cutClients();
  await expect.poll(() => sessions("granted")).not.toContain(before);
  await expect.poll(() => sessions("granted")).toHaveLength(1);
  await held.release();
  await relay.close();
  expect(faults).toEqual([]);
});

it("goes to a waiting service when its holder dies, and notifies a holder that lives", async () => {
  let tell: (fault: Error) => void = lost;
  const told = new Promise<Error>((resolve) => {
    tell = resolve;
  });
  await holdDatabase(database.url, tell);
  const taking = holdDatabase(database.url, lost);
  await expect.poll(() => sessions("waiting")).toHaveLength(1);
  await cut();
  const second = await taking;
  expect((await told).message).toContain("in use by another container service");
  await second.release();
});
