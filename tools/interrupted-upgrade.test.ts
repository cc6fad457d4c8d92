import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MIGRATIONS } from "../apps/directory/src/db/database.ts";
import { createClient, openDatabase } from "../packages/service-kit/src/database.ts";
import { createTestDatabase, type TestDatabase } from "./postgres.testing.ts";

// An upgrade of the directory's database, as the service does it at its start.

const ROOT = resolve(import.meta.dirname, "..");

let folder: string;
let database: TestDatabase;
let sql: ReturnType<typeof createClient>;

interface Journal {
  readonly entries: readonly { readonly when: number }[];
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "berth-upgrade-"));
  database = await createTestDatabase();
  sql = createClient(database.url, { max: 2 });
  // As the version before the newest migration left it.
  const migrationsFolder = join(folder, "migrations");
  await cp(MIGRATIONS.migrationsFolder, migrationsFolder, { recursive: true });
  const path = join(migrationsFolder, "meta/_journal.json");
  const journal = JSON.parse(await readFile(path, "utf8")) as Journal;
  await writeFile(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, -1) }));
  const migrations = { ...MIGRATIONS, migrationsFolder };
  const options = { url: database.url, application: "earlier", connections: 1, schema: {}, migrations };
  await (await openDatabase(options)).close();
});
afterAll(async () => {
  await sql?.end({ timeout: 1 });
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

function startDirectory() {
  const settings = {
    BERTH_STATE: join(folder, "state"),
    BERTH_RUN: join(folder, "run"),
    BERTH_DIRECTORY_LISTEN: "127.0.0.1:0",
    BERTH_DIRECTORY_DATABASE_URL: database.url,
  };
  const child = spawn(process.execPath, [join(ROOT, "apps/directory/dist/bundle/main.js")], {
    env: { ...process.env, ...settings },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  return { child, ended: once(child, "exit"), output: () => output };
}

/** Everything that the schema has, and how far it was migrated. */
async function schemaOf(): Promise<string> {
  const columns = await sql`select table_name, column_name from information_schema.columns
    where table_schema = 'directory' order by 1, 2`;
  const done = await sql`select count(*)::int from directory.migrations`;
  return JSON.stringify([done, columns]);
}

test("one that is killed in its middle leaves the database as it was, and the next start does it", async () => {
  const before = await schemaOf();
  const reader = await sql.reserve();
  // Each migration ends with a row there, and has to wait for it with all of its changes made.
  await reader`begin`;
  await reader`lock table directory.migrations in share mode`;
  const killed = startDirectory();
  const waiting = () => sql`select pid from pg_locks where not granted and relation = 'directory.migrations'::regclass`;
  await expect.poll(waiting).toHaveLength(1);
  killed.child.kill("SIGKILL");
  await killed.ended;
  await reader`commit`;
  reader.release();
  await expect.poll(async () => (await sql`select 1 from pg_locks where locktype = 'advisory'`).length).toBe(0);
  expect(await schemaOf()).toBe(before);

  const next = startDirectory();
  await expect.poll(next.output).toContain("directory listens on");
  expect(await schemaOf()).not.toBe(before);
  next.child.kill("SIGTERM");
  await next.ended;
});

test("a service that is older than its database does not start, and says what to do", async () => {
  const { entries } = JSON.parse(
    await readFile(join(MIGRATIONS.migrationsFolder, "meta/_journal.json"), "utf8"),
  ) as Journal;
  const newer = { hash: "newer", created_at: Math.max(...entries.map(({ when }) => when)) + 1 };
  await sql`insert into directory.migrations ${sql(newer)}`;
  const before = await schemaOf();
  const older = startDirectory();
  const [code] = await older.ended;
  expect(code).not.toBe(0);
  expect(older.output()).toContain(
    "was changed by a newer version of Berth: install that version, or restore a back-up",
  );
  expect(await schemaOf()).toBe(before);
});
