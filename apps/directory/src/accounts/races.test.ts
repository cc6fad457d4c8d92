import { decide, type EffectiveConstraints } from "@berth/directory-domain";
import { expect, test } from "vitest";
import { Announcements } from "../cache/announcements.ts";
import { ChangeFeed } from "../cache/change-feed.ts";
import { EffectiveCache } from "../cache/effective-cache.ts";
import { describeDirectory } from "../directory.testing.ts";

function times<T>(count: number, make: (n: number) => Promise<T>) {
  return Promise.all(Array.from({ length: count }, (_, n) => make(n)));
}
function counts(statuses: readonly number[]) {
  return Object.fromEntries(
    [...new Set(statuses)].sort().map((status) => [status, statuses.filter((one) => one === status).length]),
  );
}

describeDirectory("concurrent requests", (directory) => {
  test("50 creates of one login in different spellings make one user", async () => {
    const spellings = ["ann", "ANN", "Ann", "ａｎｎ"];
    const answers = await times(50, (n) =>
      directory.send("POST", "/api/users", { json: { login: spellings[n % 4], email: `a${n}@example.test` } }),
    );
    expect(counts(answers.map((one) => one.status))).toEqual({ 201: 1, 409: 49 });
    expect(directory.faults).toEqual([]);
  });

  test("of 20 replacements with one ETag, one succeeds and 19 are stale", async () => {
    const { id } = await directory.addUser("ann", { pass: null });
    const etag = (await directory.send("GET", `/api/users/${id}`)).headers.get("etag") ?? "";
    const answers = await times(20, (n) =>
      directory.send("PATCH", `/api/users/${id}`, { json: { name: `n${n}` }, headers: { "if-match": etag } }),
    );
    expect(counts(answers.map((one) => one.status))).toEqual({ 200: 1, 412: 19 });
  });

  test("20 creates with one Idempotency-Key make one user and one answer", async () => {
    const sent = { json: { login: "ann", email: "ann@example.test" }, headers: { "idempotency-key": "k1" } };
    const answers = await times(20, () => directory.send("POST", "/api/users", sent));
    expect(counts(answers.map((one) => one.status))).toEqual({ 201: 20 });
    expect(new Set(answers.map((one) => one.text)).size).toBe(1);
    const other = { ...sent, json: { login: "bob", email: "bob@example.test" } };
    expect((await directory.send("POST", "/api/users", other)).status).toBe(422);
    const { token } = await directory.addUser("second", { role: "admin" });
    expect((await directory.send("POST", "/api/users", { ...other, token })).status).toBe(201);
  });

  test("an Idempotency-Key stores nothing derived from the password; the first password counts", async () => {
    const create = (pass: string) =>
      directory.send("POST", "/api/users", {
        json: { login: "ann", email: "ann@example.test", pass },
        headers: { "idempotency-key": "k3" },
      });
    const signIn = async (pass: string) =>
      (await directory.send("POST", "/api/login", { token: null, json: { login: "ann", pass } })).status;
    const [first, second] = [await create("correct horse 12"), await create("another horse 22")];
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
    expect([await signIn("correct horse 12"), await signIn("another horse 22")]).toEqual([200, 401]);
  });

  test("an Idempotency-Key of a failed create can be reused", async () => {
    await directory.addUser("ann", { pass: null });
    const headers = { "idempotency-key": "k2" };
    const taken = { json: { login: "ann", email: "x@example.test" }, headers };
    expect((await directory.send("POST", "/api/users", taken)).status).toBe(409);
    expect(
      (await directory.send("POST", "/api/users", { json: { login: "bob", email: "b@example.test" }, headers })).status,
    ).toBe(201);
  });

  test("administrators that remove or demote each other leave at least one", async () => {
    const others = await times(4, (n) => directory.addUser(`admin${n}`, { role: "admin", pass: null }));
    const ids = [1, ...others.map((one) => one.id)];
    const answers = await times(ids.length, (n) =>
      n % 2 === 0
        ? directory.send("DELETE", `/api/users/${ids[n]}`)
        : directory.send("PATCH", `/api/users/${ids[n]}`, { json: n === 1 ? { role: "user" } : { active: false } }),
    );
    const left = await directory.deps.records.users.page(
      { role: "admin", active: true, sort: { by: "id", order: "ascending" } },
      { limit: 10 },
    );
    // Once the first is removed its token opens nothing; however far they come, the last one stays.
    expect(left.length).toBeGreaterThanOrEqual(1);
    for (const answer of answers) expect([200, 204, 401, 403, 409]).toContain(answer.status);
    expect(directory.faults).toEqual([]);
  });

  test("the last administrator cannot be removed, demoted or disabled", async () => {
    for (const [method, json] of [["DELETE"], ["PATCH", { role: "user" }], ["PATCH", { active: false }]] as const) {
      const answer = await directory.send(method, "/api/users/1", json ? { json } : {});
      expect([answer.status, answer.json.code]).toEqual([409, "conflict"]);
    }
  });

  test("membership changes during a group's removal leave no orphans and no errors", async () => {
    const users = await times(10, (n) => directory.addUser(`user${n}`, { pass: null }));
    const group = await directory.addGroup("ops");
    await directory.send("POST", `/api/groups/${group}/constraints`, { json: { kind: "images", patterns: ["*"] } });
    const answers = await times(21, (n) =>
      n === 10
        ? directory.send("DELETE", `/api/groups/${group}`)
        : n < 10
          ? directory.send("PUT", `/api/groups/${group}/members/${users[n]?.id}`)
          : directory.send("GET", `/api/users/${users[n - 11]?.id}/effective-constraints`),
    );
    for (const answer of answers) expect([200, 204, 404]).toContain(answer.status);
    for (const { id } of users) expect((await directory.send("GET", `/api/users/${id}/groups`)).json).toEqual([]);
    expect(directory.faults).toEqual([]);
  });

  test("a constraint added during its owner's removal never outlives the owner", async () => {
    const { id } = await directory.addUser("ann", { pass: null });
    const add = () =>
      directory.send("POST", `/api/users/${id}/constraints`, { json: { kind: "images", patterns: ["*"] } });
    const answers = await Promise.all([add(), add(), directory.send("DELETE", `/api/users/${id}`), add(), add()]);
    for (const answer of answers) expect([201, 204, 404]).toContain(answer.status);
    const rows = await directory.deps.records.constraints.ownedBy({ type: "user", id: id as never }, { limit: 10 });
    expect(rows).toEqual([]);
    expect(directory.faults).toEqual([]);
  });
});

describeDirectory("effective constraints", (directory) => {
  /** As a service that knows nothing yet. */
  const effective = async (id: number): Promise<EffectiveConstraints> => {
    const changes = new ChangeFeed(directory.deps.records, new Announcements(), () => false);
    return (await new EffectiveCache(directory.deps, changes).effectiveOf(id)).effective;
  };
  const constrain = (owner: string, json: object) => directory.send("POST", `/api/${owner}/constraints`, { json });

  test("include the constraints of the user and its groups once each, with their owner", async () => {
    const ann = await directory.addUser("ann", { pass: null });
    const bob = await directory.addUser("bob", { pass: null });
    const groups = [
      await directory.addGroup("a", [ann.id]),
      await directory.addGroup("b", [ann.id, bob.id]),
      await directory.addGroup("c"),
    ];
    for (const owner of [`users/${ann.id}`, `users/${bob.id}`, ...groups.map((id) => `groups/${id}`)])
      await constrain(owner, { kind: "images", effect: "deny", patterns: [`docker.io/${owner}`] });
    const owners = (await directory.send("GET", `/api/users/${ann.id}/effective-constraints`)).json.constraints.map(
      (one: { owner: { type: string; id: number }; patterns: string[] }) => [
        `${one.owner.type}s/${one.owner.id}`,
        one.patterns[0],
      ],
    );
    expect(owners).toEqual(
      [`users/${ann.id}`, `groups/${groups[0]}`, `groups/${groups[1]}`].map((owner) => [owner, `docker.io/${owner}`]),
    );
  });

  test("reflect every change immediately, and so does their version", async () => {
    const { id } = await directory.addUser("ann", { pass: null });
    const group = await directory.addGroup("ops");
    const version = async () => (await directory.send("GET", `/api/users/${id}/effective-constraints`)).json.version;
    const allowed = async () => {
      const json = { userId: id, request: { images: [{ references: ["docker.io/a:1"] }] } };
      return (await directory.send("POST", "/api/decisions", { json })).json.decision === "allow";
    };
    const changes: readonly [() => Promise<unknown>, boolean][] = [
      [() => constrain(`groups/${group}`, { kind: "images", effect: "deny", patterns: ["*"] }), true],
      [() => directory.send("PUT", `/api/groups/${group}/members/${id}`), false],
      [() => directory.send("DELETE", `/api/groups/${group}/members/${id}`), true],
      [() => constrain(`users/${id}`, { kind: "images", effect: "limit", patterns: ["quay.io/*"] }), false],
      [
        () =>
          directory.send("PUT", "/api/constraints/2", { json: { kind: "images", effect: "limit", patterns: ["*"] } }),
        true,
      ],
      [() => directory.send("PUT", `/api/groups/${group}/members/${id}`), false],
      [() => directory.send("DELETE", `/api/groups/${group}`), true],
      [() => directory.send("PATCH", `/api/users/${id}`, { json: { active: false } }), false],
      [() => directory.send("PATCH", `/api/users/${id}`, { json: { active: true } }), true],
    ];
    let last = await version();
    for (const [change, expected] of changes) {
      await change();
      expect(await allowed()).toBe(expected);
      expect(await version()).not.toBe(last);
      last = await version();
    }
    await directory.send("PATCH", `/api/users/${id}`, { json: { name: "Ann" } });
    expect(await version()).toBe(last);
  });

  test("a row of an unknown kind refuses everything", async () => {
    const { id } = await directory.addUser("ann", { pass: null });
    await directory.database.db.execute(
      `insert into directory.constraints (user_id, effect, kind, value) values (${id}, 'limit', 'colour', '{"only":"blue"}')`,
    );
    expect(decide({}, await effective(id)).allowed).toBe(false);
    const listed = await directory.send("GET", `/api/users/${id}/constraints`);
    expect(listed.json).toMatchObject([{ kind: "colour", owner: { type: "user", id } }]);
    expect((await directory.send("DELETE", `/api/constraints/${listed.json[0].id}`)).status).toBe(204);
    expect(decide({}, await effective(id)).allowed).toBe(true);
  });

  test("a decision is explained and has no side effects", async () => {
    const { id, token } = await directory.addUser("ann");
    const group = await directory.addGroup("web", [id]);
    await constrain(`groups/${group}`, {
      kind: "host-ports",
      effect: "limit",
      ports: [{ start: 8000, end: 8099, protocol: "tcp" }],
    });
    const request = {
      ports: [{ hostPort: { start: 9000, end: 9000 } }],
      quantities: { containers: 1 },
      used: { containers: 20 },
    };
    const answer = await directory.send("POST", "/api/decisions", { token, json: { request } });
    expect(answer.json).toMatchObject({
      decision: "refuse",
      message: `denied by policy: host-ports 9000/tcp is outside the limit set by constraint 1 of group web (would pass: 8000-8099/tcp); quota containers: 1 more than the 20 in use is not granted (would pass: at most 20 in all)`,
      portChoices: [[]],
    });
    const other = await directory.addUser("bob");
    expect(
      (await directory.send("POST", "/api/decisions", { token: other.token, json: { userId: id, request } })).status,
    ).toBe(403);
    const wrong = { ports: [{ hostPort: { start: 0, end: 70_000 } }], privileges: ["root"], extra: 1 };
    const refused = await directory.send("POST", "/api/decisions", { token, json: { request: wrong } });
    expect(refused.json.errors.map((one: { pointer: string }) => one.pointer).sort()).toEqual([
      "/request/extra",
      "/request/ports/0/hostPort/end",
      "/request/ports/0/hostPort/start",
      "/request/privileges/0",
    ]);
  });
});

describeDirectory("the audit", (directory) => {
  test("records actor, action, before and after, and outlives the record", async () => {
    const { id } = await directory.addUser("ann");
    await directory.send("PATCH", `/api/users/${id}`, { json: { name: "Ann" } });
    await directory.send("DELETE", `/api/users/${id}`);
    const entries = (await directory.send("GET", `/api/audit?target=user/${id}`)).json;
    expect(entries).toMatchObject([
      { actor: 1, action: "user.delete", before: { login: "ann", name: "Ann" }, after: null },
      { actor: 1, action: "user.update", before: { name: null }, after: { name: "Ann" } },
      { actor: 1, action: "user.create", before: null, after: { login: "ann", name: null } },
    ]);
    const since = encodeURIComponent(entries[1].at);
    expect((await directory.send("GET", `/api/audit?target=user/${id}&until=${since}`)).json).toHaveLength(1);
    expect((await directory.send("GET", "/api/audit?actor=999")).json).toEqual([]);
  });

  test("can only be changed by pruning", async () => {
    const { db } = directory.database;
    for (const statement of [
      "update directory.audit set actor = 9",
      "delete from directory.audit",
      "truncate directory.audit",
    ])
      await expect(db.execute(statement)).rejects.toThrow("Failed query");
    const before = (await directory.send("GET", "/api/audit")).json.length;
    expect(before).toBeGreaterThan(0);
    const prune = (until: string) => directory.deps.records.change(null, (stores) => stores.audit.prune(until));
    expect(await prune("2020-01-01T00:00:00.000Z")).toBe(0);
    expect(await prune("2099-01-01T00:00:00.000Z")).toBe(before);
  });
});
