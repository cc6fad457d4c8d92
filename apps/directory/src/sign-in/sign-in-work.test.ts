import type { OpenDatabase } from "@berth/service-kit";
import { drizzle } from "drizzle-orm/postgres-js";
import { beforeEach, expect, test, vi } from "vitest";
import type { Database } from "../db/database.ts";
import { recordsIn } from "../db/records.ts";
import * as schema from "../db/schema.ts";
import { describeDirectory, PASS, TEST_COST, type TestDirectory } from "../directory.testing.ts";
import { createHasher } from "../passwords/hasher.ts";

/*
 * Whoever tries to sign in must not learn from the time it takes whether a user is there. Time is too noisy to test, so
 * the work is: which hashes are verified at what cost, and which statements the database runs.
 */
const { verified } = vi.hoisted(() => ({ verified: [] as string[] }));
vi.mock("@node-rs/argon2", async (original) => {
  const argon2 = await original<typeof import("@node-rs/argon2")>();
  const costOf = (hash: string) => /^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+/.exec(hash)?.[0] ?? "no argon2id";
  return {
    ...argon2,
    verify(hash: string, pass: string) {
      verified.push(costOf(hash));
      return argon2.verify(hash, pass);
    },
  };
});

/** The same database once more, telling of each statement that it runs. */
function watched(database: Database, onStatement: (statement: string) => void): Database {
  const { $client } = database as Database & { readonly $client: OpenDatabase<typeof schema>["sql"] };
  return drizzle($client, { schema, logger: { logQuery: onStatement } });
}

const COST = `$argon2id$v=19$m=${TEST_COST.memory},t=${TEST_COST.passes},p=${TEST_COST.lanes}`;

describeDirectory("the work of a sign-in", (directory) => {
  let statements: string[];

  beforeEach(async () => {
    const { addUser, send } = directory;
    await addUser("ann");
    await addUser("bob", { pass: null });
    const { id } = await addUser("cat");
    await send("PATCH", `/api/users/${id}`, { json: { active: false } });
    statements = [];
    const records = recordsIn(watched(directory.database.db, (statement) => statements.push(statement)));
    Object.assign(directory.deps, { records });
    directory.restart();
    verified.length = 0;
  });

  const tries: readonly [who: string, login: string, pass: string][] = [
    ["a wrong password", "ann", "wrong horse 123"],
    ["an unknown login", "eve", "wrong horse 123"],
    ["an unknown login that is long and odd", `${"'%_\\".repeat(70)}`, "wrong horse 123"],
    ["an unknown e-mail", "eve@example.test", "wrong horse 123"],
    ["a known e-mail and a wrong password", "ann@example.test", "wrong horse 123"],
    ["a user without a password", "bob", "wrong horse 123"],
    ["a disabled user and a wrong password", "cat", "wrong horse 123"],
    ["a disabled user and the right password", "cat", PASS],
  ];

  /** What it took to refuse: everything but the values. */
  async function workOf({ send }: TestDirectory, login: string, pass: string) {
    statements.length = 0;
    verified.length = 0;
    const { status, text, headers } = await send("POST", "/api/login", { token: null, json: { login, pass } });
    return { status, text, headers: [...headers], verified: [...verified], statements: [...statements] };
  }

  test.each(tries)("is the same for %s as for every refused sign-in", async (_who, login, pass) => {
    const work = await workOf(directory, login, pass);
    expect(work).toEqual(await workOf(directory, "nobody", "wrong horse 123"));
    expect([work.status, work.verified]).toEqual([401, [COST]]);
    expect(work.statements).toHaveLength(5);
  });

  test("differs for the right password, which proves that the measurement works", async () => {
    const work = await workOf(directory, "ann", PASS);
    expect([work.status, work.verified]).toEqual([200, [COST]]);
    expect(work.statements.length).toBeGreaterThan(5);
  });

  test("is the same for a blocked account, known or unknown", async () => {
    directory.clock = new Date("2030-01-01T00:00:00Z");
    const blocked = async (login: string) => {
      for (let n = 0; n < 5; n++) await workOf(directory, login, "wrong horse 123");
      return workOf(directory, login, PASS);
    };
    const ann = await blocked("ann");
    expect([ann.status, ann.verified]).toEqual([429, []]);
    for (const other of ["eve", "bob", "cat"]) expect(await blocked(other)).toEqual(ann);
  });

  test("uses the current hash cost for an unknown user", async () => {
    Object.assign(directory.deps, {
      hasher: await createHasher({ cost: { ...TEST_COST, passes: 3 }, parallel: 1, waiting: 10 }),
    });
    directory.restart();
    expect((await workOf(directory, "eve", "wrong horse 123")).verified).toEqual([COST.replace("t=1", "t=3")]);
    expect((await workOf(directory, "bob", "wrong horse 123")).verified).toEqual([COST.replace("t=1", "t=3")]);
  });
});
