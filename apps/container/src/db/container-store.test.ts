import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@berth/service-kit";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { createTestDatabase } from "../../../../tools/postgres.testing.ts";
import { idOf, someContainer } from "../containers/records/container.testing.ts";
import type { Intent } from "../containers/records/store.ts";
import { createContainerStore } from "./container-store.ts";
import { openTestDatabase } from "./database.testing.ts";
import { MIGRATIONS_FOLDER, type OpenDatabase } from "./database.ts";
import { containers } from "./schema.ts";

describe("a container's row", () => {
  let database: OpenDatabase;

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await database.db.delete(containers);
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

  it("refuses a name that is taken", async () => {
    const store = createContainerStore(database.db);
    await store.insert(container, { kind: "create" });
    const other = { ...container, id: idOf("b") };
    await expect(store.insert(other, { kind: "create" })).rejects.toMatchObject({ kind: "conflict" });
  });
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
