import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { PGlite } from "@electric-sql/pglite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createClient, openDatabase } from "../packages/service-kit/src/database.ts";
import { createTestDatabase, type TestDatabase } from "./postgres.testing.ts";

const ROOT = resolve(import.meta.dirname, "..");
const SCRIPT = join(ROOT, "scripts/import-pglite.mjs");
const MIGRATIONS = join(ROOT, "apps/container/drizzle");

/** What version 0.1.0 had. */
const LAST = "0003_intent-in-full";

const ID = "a".repeat(64);

let state: string;
let database: TestDatabase;
beforeEach(async () => {
  state = mkdtempSync(join(tmpdir(), "berth-import-"));
  database = await createTestDatabase();
});
afterEach(async () => {
  await database.drop();
  rmSync(state, { recursive: true });
});

function carryOver(): Promise<string> {
  const env = { ...process.env, BERTH_STATE: state, DATABASE_URL: database.url };
  return promisify(execFile)(process.execPath, [SCRIPT], { env }).then(
    ({ stdout }) => stdout.trim(),
    ({ stderr }) => String(stderr),
  );
}

/** The database as the container service of 0.1.0 left it, with one volume. */
async function makeOld(): Promise<void> {
  mkdirSync(join(state, "container"), { recursive: true });
  const old = await PGlite.create({ dataDir: join(state, "container/db") });
  await old.exec("create schema drizzle");
  await old.exec(
    "create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)",
  );
  const { entries } = JSON.parse(readFileSync(join(MIGRATIONS, "meta/_journal.json"), "utf8"));
  for (const { tag, when } of entries) {
    await old.exec(readFileSync(join(MIGRATIONS, `${tag}.sql`), "utf8"));
    await old.query("insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)", [tag, when]);
    if (tag === LAST) break;
  }
  const columns = "name, created_at, labels, options, anonymous, owner";
  await old.exec(
    `insert into volumes (${columns}) values ('data', now(), '{"it''s":"a \\\\ tab\\t"}', '{}', false, null)`,
  );
  await old.close();
}

/** PGlite is Postgres in WebAssembly, and takes its time. */
const SLOW = { timeout: 180_000 };

it(
  "carries the database of an earlier version over once, overwrites nothing, and newer migrations apply",
  SLOW,
  async () => {
    await makeOld();
    const sql = createClient(database.url, { max: 1 });
    await sql`create table containers (id text)`;
    await sql`insert into containers values (${ID})`;
    expect(await carryOver()).toContain("the container service has data in Postgres already");
    expect(existsSync(join(state, "container/db"))).toBe(true);
    expect(await sql`select id from containers`).toEqual([{ id: ID }]);
    await sql`drop table containers`;
    await sql.end();

    expect(await carryOver()).toBe("container   1 rows carried over");
    const there = (name: string) => existsSync(join(state, "container", name));
    expect([there("db"), there("db.migrated")]).toEqual([false, true]);
    expect(await carryOver()).toBe("");
    const opened = await openDatabase({
      url: database.url,
      application: "test",
      connections: 1,
      schema: {},
      migrations: { migrationsFolder: MIGRATIONS },
    });
    expect(await opened.sql`select name, folder, labels from volumes`).toEqual([
      { name: "data", folder: "data", labels: { "it's": "a \\ tab\t" } },
    ]);
    await opened.close();
  },
);
