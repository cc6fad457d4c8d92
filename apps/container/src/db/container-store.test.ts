import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@berth/service-kit";
import { and, isNull } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { createTestDatabase } from "../../../../tools/postgres.testing.ts";
import { idOf, someContainer } from "../containers/records/container.testing.ts";
import type { Intent } from "../containers/records/store.ts";
import { createContainerStore } from "./container-store.ts";
import { openTestDatabase } from "./database.testing.ts";
import { MIGRATIONS_FOLDER, type OpenDatabase } from "./database.ts";
import * as schema from "./schema.ts";

describe("a container's row", () => {
  let database: OpenDatabase;

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await database.db.delete(schema.containers);
  });

  const container = someContainer({ owner: "1" });
  const intents: readonly (Intent | undefined)[] = [
    { kind: "create" },
    { kind: "start" },
    { kind: "commit" },
    { kind: "stop" },
    { kind: "stop", signal: "SIGINT", timeoutSeconds: -1 },
    { kind: "remove", volumes: true },
    { kind: "remove", volumes: false },
    undefined,
  ];

  it.each(intents)("says what is under way, and how it was asked for: %j", async (intent) => {
    const store = createContainerStore(database.db);
    await store.insert(container, { kind: "create" });
    await store.save(container, intent);
    const [stored] = await store.load();
    expect(stored?.intent).toEqual(intent);
    expect(stored?.container).toMatchObject({ id: container.id, owner: "1", hostConfig: container.hostConfig });
  });

  it("has the database's null for what a container has not", async () => {
    await createContainerStore(database.db).insert(someContainer({ owner: undefined }), { kind: "create" });
    await createContainerStore(database.db).save(someContainer({ owner: undefined }), undefined);
    const nulls = and(isNull(schema.containers.owner), isNull(schema.containers.intent));
    expect(await database.db.select().from(schema.containers).where(nulls)).toHaveLength(1);
  });

  it("refuses a name that is taken", async () => {
    const store = createContainerStore(database.db);
    await store.insert(container, { kind: "create" });
    const other = { ...container, id: idOf("b") };
    await expect(store.insert(other, { kind: "create" })).rejects.toMatchObject({ kind: "conflict" });
  });
});

test("rows from before rows had versions are read as version 1", async () => {
  const test = await createTestDatabase();
  const sql = createClient(test.url, { max: 1, connection: { TimeZone: "UTC" } });
  try {
    const names = (await readdir(MIGRATIONS_FOLDER)).filter((name) => name.endsWith(".sql")).sort();
    const apply = async (name: string) => sql.unsafe(await readFile(join(MIGRATIONS_FOLDER, name), "utf8"));
    for (const name of names.filter((name) => name < "0006")) await apply(name);
    const { id, config, hostConfig, endpoints, ports, mounts, state } = someContainer();
    const json = JSON.stringify({ config, host_config: hostConfig, endpoints, ports, mounts, state });
    await sql.unsafe(
      `insert into containers (id, name, image, image_id, layers, created_at, config, host_config, endpoints, ports, mounts, state)
       select '${id}', 'old', 'busybox', '', '', now(), config, host_config, endpoints, ports, mounts, state
       from jsonb_to_record($1::text::jsonb)
         as row (config jsonb, host_config jsonb, endpoints jsonb, ports jsonb, mounts jsonb, state jsonb)`,
      [json],
    );
    for (const name of names.filter((name) => name >= "0006")) await apply(name);
    const store = createContainerStore(drizzle(sql, { schema }));
    const [stored] = await store.load();
    const createdAt = stored?.container.createdAt ?? "";
    expect(stored).toEqual({
      container: someContainer({ name: "old", image: "busybox", imageId: "", createdAt }),
      intent: undefined,
    });

    await sql`update containers set version = 99`;
    await expect(store.load()).rejects.toThrow(`container ${id}: its row has version 99`);
  } finally {
    await sql.end();
    await test.drop();
  }
});

test("an intent of before, which was a word, is understood", async () => {
  const database = await createTestDatabase();
  const sql = createClient(database.url, { max: 1 });
  try {
    const apply = async (name: string) => sql.unsafe(await readFile(join(MIGRATIONS_FOLDER, `${name}.sql`), "utf8"));
    for (const name of ["0000_init", "0001_sandbox-nameservers", "0002_volume_owner"]) await apply(name);
    for (const [digit, intent] of [
      ["a", "'stop'"],
      ["b", "null"],
    ] as const)
      await sql.unsafe(
        `insert into containers values ('${idOf(digit)}', '${digit}', null, '', '', '', now(), '{}', '{}', '{}', '{}', '{}', '{}', ${intent})`,
      );
    await apply("0003_intent-in-full");
    expect([...(await sql`select name, intent from containers order by name`)]).toEqual([
      { name: "a", intent: { kind: "stop" } },
      { name: "b", intent: null },
    ]);
  } finally {
    await sql.end();
    await database.drop();
  }
});
