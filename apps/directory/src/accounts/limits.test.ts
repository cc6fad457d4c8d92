import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { describeDirectory, PASS, type TestDirectory } from "../directory.testing.ts";

/** Fills tables as fast as the database can: without the triggers that tell of each row. */
async function fill({ database }: TestDirectory, ...statements: readonly string[]): Promise<void> {
  await database.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    for (const statement of statements) await tx.execute(statement);
  });
}

function signIn(directory: TestDirectory, pass: string) {
  return directory.send("POST", "/api/login", { token: null, json: { login: "ann", pass } });
}

describeDirectory("large inputs", (directory) => {
  test("rejects a password of one mebibyte with 413", async () => {
    await directory.addUser("ann");
    const pass = "x".repeat(1_048_576);
    expect((await signIn(directory, pass)).status).toBe(413);
    expect((await directory.send("PATCH", "/api/users/2", { json: { pass } })).status).toBe(413);
  });

  test("queued sign-ins do not delay other requests", async () => {
    await directory.addUser("ann");
    let finish = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { hasher } = directory.deps;
    let verifying = 0;
    const all = new Promise<void>((resolve) => {
      Object.assign(directory.deps, {
        hasher: {
          ...hasher,
          async verify(hash: string | null, pass: string) {
            if (++verifying === 4) resolve();
            await held;
            return hasher.verify(hash, pass);
          },
        },
      });
    });
    directory.restart();
    const waiting = Array.from({ length: 4 }, () => signIn(directory, PASS));
    await all;
    for (const path of ["/healthz", "/readyz", "/api/users", "/api/users/1/effective-constraints"])
      expect((await directory.send("GET", path)).status).toBe(200);
    expect((await directory.send("POST", "/api/groups", { json: { name: "ops" } })).status).toBe(201);
    finish();
    for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(200);
  });

  test("adding a member 20 times at once makes one membership", async () => {
    const { id } = await directory.addUser("ann", { pass: null });
    const group = await directory.addGroup("ops");
    const adding = Array.from({ length: 20 }, () => directory.send("PUT", `/api/groups/${group}/members/${id}`));
    for (const answer of await Promise.all(adding)) expect(answer.status).toBe(204);
    expect((await directory.send("GET", `/api/groups/${group}/members`)).json).toHaveLength(1);
    const leaving = Array.from({ length: 20 }, () => directory.send("DELETE", `/api/groups/${group}/members/${id}`));
    for (const answer of await Promise.all(leaving)) expect(answer.status).toBe(204);
    expect(directory.faults).toEqual([]);
  });

  test("lists all groups of a user in 10,000 groups, and their constraints", async () => {
    const { id } = await directory.addUser("ann", { pass: null });
    await fill(
      directory,
      "insert into directory.groups (name, name_key) select 'g' || n, 'g' || n from generate_series(1, 10000) n",
      `insert into directory.memberships (user_id, group_id) select ${id}, id from directory.groups`,
      `insert into directory.constraints (group_id, effect, kind, value)
        select id, 'grant', 'privileges', '{"privileges":["privileged"]}' from directory.groups`,
    );
    expect((await directory.send("GET", `/api/users/${id}/groups`)).json).toHaveLength(10_000);
    const effective = await directory.send("GET", `/api/users/${id}/effective-constraints`);
    expect(effective.json.constraints).toHaveLength(10_000);
    const json = { userId: id, request: { privileges: ["privileged"] } };
    expect((await directory.send("POST", "/api/decisions", { json })).json.decision).toBe("allow");
  });

  test("limits an owner to 10,000 constraints", async () => {
    const { id } = await directory.addUser("ann", { pass: null });
    await fill(
      directory,
      `insert into directory.constraints (user_id, effect, kind, value)
        select ${id}, 'limit', 'images', '{"patterns":["*"]}' from generate_series(1, 10000) n`,
    );
    const refused = await directory.send("POST", `/api/users/${id}/constraints`, {
      json: { kind: "images", patterns: ["*"] },
    });
    expect([refused.status, refused.json.detail]).toEqual([
      409,
      "A user can have at most 10000 constraints; remove some first.",
    ]);
    expect((await directory.send("GET", `/api/users/${id}/constraints`)).json).toHaveLength(10_000);
    expect((await directory.send("DELETE", `/api/users/${id}`)).status).toBe(204);
  });

  test("removes a group of 20,000 members with one audit entry", async () => {
    const group = await directory.addGroup("everyone");
    await fill(
      directory,
      `insert into directory.users (login, login_key, email, email_key)
        select 'u' || n, 'u' || n, n || '@b.c', n || '@b.c' from generate_series(1, 20000) n`,
      `insert into directory.memberships (user_id, group_id) select id, ${group} from directory.users where id > 1`,
    );
    const page = await directory.send("GET", `/api/groups/${group}/members?limit=200`);
    expect([page.json.length, page.headers.get("link")]).toEqual([200, expect.stringContaining('rel="next"')]);
    expect((await directory.send("DELETE", `/api/groups/${group}`)).status).toBe(204);
    const told = (await directory.send("GET", `/api/audit?target=group/${group}&action=membership.delete`)).json;
    expect(told).toMatchObject([{ before: { memberships: 20_000 } }]);
    const left = await directory.database.db.execute("select count(*)::int as count from directory.memberships");
    expect([...left]).toEqual([{ count: 0 }]);
  });

  test("setting the clock back ends no wait; setting it forward ends those that are over", async () => {
    await directory.addUser("ann");
    const at = (text: string) => {
      directory.clock = new Date(text);
    };
    at("2030-01-02T00:00:00Z");
    for (let n = 0; n < 5; n++) expect((await signIn(directory, "wrong horse 123")).status).toBe(401);
    at("2030-01-01T00:00:00Z");
    const locked = await signIn(directory, PASS);
    expect(locked.status).toBe(429);
    expect(Number(locked.headers.get("retry-after"))).toBeLessThanOrEqual(900);
    at("2030-01-03T00:00:00Z");
    expect((await signIn(directory, PASS)).status).toBe(200);
  });
});
