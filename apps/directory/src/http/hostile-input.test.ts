import { expect, test } from "vitest";
import { describeDirectory, PASS } from "../directory.testing.ts";

function user(login: string) {
  return { login, email: "ann@example.test" };
}
const POST = { "content-type": "application/json" };
function deep(levels: number) {
  return `${"[".repeat(levels)}${"]".repeat(levels)}`;
}

describeDirectory("hostile input", (directory) => {
  test.each([
    ["256 characters", "x".repeat(256), 201],
    ["257 characters", "x".repeat(257), 422],
    ["10,000 characters", "x".repeat(10_000), 422],
    ["a million characters", "x".repeat(1_000_000), 413],
    ["NUL", "a\0b", 422],
    ["a newline", "a\nb", 422],
    ["leading space", " ann", 422],
    ["trailing space", "ann ", 422],
    ["inner space", "a nn", 201],
    ["a no-break space", "a\u00a0nn", 422],
    ["dots", "..", 422],
    ["a slash", "/", 422],
    ["__proto__", "__proto__", 201],
    ["constructor", "constructor", 201],
    ["me", "me", 201],
    ["mixed scripts", "аdmin", 422],
    ["zero-width joiner", "a\u200db", 422],
    ["bidi override", "a\u202eb", 422],
    ["SQL", "x'; drop table users; --", 201],
  ])("a login of %s", async (_name, login, status) => {
    const answer = await directory.send("POST", "/api/users", { json: user(login) });
    expect(answer.status).toBe(status);
    if (status === 422) expect(answer.json.errors[0].pointer).toBe("/login");
    if (status === 201) expect(answer.json.login).toBe(login);
    const count = (await directory.send("GET", "/api/users")).json.length;
    expect(count).toBe(status === 201 ? 2 : 1);
    expect(directory.faults).toEqual([]);
  });

  test.each([
    ["letter case", "ann", "ANN"],
    ["width", "ann", "ａｎｎ"],
    ["normal form", "\u00e9ve", "e\u0301ve"],
    ["sharp s", "strasse", "straße"],
    ["dotless i", "ivan", "ıvan"],
    ["ligature", "fish", "ﬁsh"],
  ])("logins that differ in %s alone are one", async (_name, first, second) => {
    expect((await directory.send("POST", "/api/users", { json: user(first) })).status).toBe(201);
    const again = await directory.send("POST", "/api/users", { json: { login: second, email: "other@example.test" } });
    expect([again.status, again.json.code, again.json.errors]).toEqual([
      409,
      "conflict",
      [{ pointer: "/login", detail: "is taken" }],
    ]);
  });

  test.each([
    ["no JSON", "{", 400],
    ["nothing", "", 400],
    ["invalid UTF-8", Buffer.from([0x22, 0xff, 0x22]), 400],
    ["a lone surrogate", '{"login":"a\\ud800"}', 400],
    ["30,000 levels", deep(30_000), 400],
    ["100,000 levels", deep(100_000), 413],
    ["a key twice", '{"login":"a","email":"a@b","role":"user","role":"admin"}', 400],
    ["a key twice, once escaped", '{"login":"a","email":"a@b","role":"user","\\u0072ole":"admin"}', 400],
    ["__proto__", '{"login":"a","email":"a@b","__proto__":{"role":"admin"}}', 400],
    ["constructor", '{"login":"a","email":"a@b","constructor":{"prototype":{}}}', 422],
    ["an array", "[]", 422],
    ["null", "null", 422],
    ["a number", "5", 422],
  ])("a body that is %s", async (_name, body, status) => {
    const answer = await directory.send("POST", "/api/users", { body: body as string, headers: POST });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect((await directory.send("GET", "/api/users")).json).toHaveLength(1);
    expect(directory.faults).toEqual([]);
  });

  test.each([
    ["no type", {}],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }],
    ["UTF-16", { "content-type": "application/json; charset=utf-16" }],
    ["gzip", { "content-type": "application/json", "content-encoding": "gzip" }],
    ["a merge patch to POST", { "content-type": "application/merge-patch+json" }],
  ])("a body sent as %s is 415", async (_name, headers) => {
    const body = new TextEncoder().encode(JSON.stringify(user("ann")));
    expect((await directory.send("POST", "/api/users", { body, headers })).status).toBe(415);
  });

  test.each([
    "0",
    "-1",
    "1.5",
    "1e3",
    "01",
    "0x10",
    "9007199254740993",
    "9223372036854775808",
    "9".repeat(500),
    "me",
    "1%00",
    "__proto__",
  ])("the id %s is 400", async (id) => {
    const answer = await directory.send("GET", `/api/users/${id}`);
    expect([answer.status, answer.json.errors[0].parameter]).toEqual([400, "id"]);
  });

  test("an unknown id is 404, also the largest", async () => {
    expect((await directory.send("GET", "/api/users/9007199254740991")).status).toBe(404);
    expect((await directory.send("PUT", "/api/users/77", { json: user("x") })).status).toBe(404);
  });

  test.each(["login", "email", "q"])("treats SQL and wildcards in ?%s= as plain text", async (parameter) => {
    await directory.addUser("ann", { pass: null });
    for (const text of ["%", "_nn", "' or 1=1 --", "\\", "a%n"]) {
      const answer = await directory.send("GET", `/api/users?${parameter}=${encodeURIComponent(text)}`);
      expect(answer.json).toEqual([]);
    }
    expect((await directory.send("GET", "/api/users?q=AN")).json).toHaveLength(1);
  });

  test.each([
    "?sort=pass_hash",
    "?sort=id;drop",
    "?limit=0",
    "?limit=201",
    "?limit=1e2",
    "?nope=1",
    "?limit=1&limit=2",
    "?__proto__=1",
    "?active=yes",
    "?group=0",
    "?cursor=x",
  ])("the query %s is 400", async (query) => {
    const answer = await directory.send("GET", `/api/users${query}`);
    expect([answer.status, answer.json.code]).toEqual([400, "malformed"]);
    expect(answer.json.errors).not.toHaveLength(0);
  });

  test("a cursor is valid only for its own list, sort, filter and actor", async () => {
    const { send, addUser } = directory;
    for (const login of ["ann", "bob", "cat"]) await addUser(login, { pass: null });
    const link = (await send("GET", "/api/users?limit=2&sort=login")).headers.get("link") ?? "";
    const cursor = new URLSearchParams(/\?(.+)>/.exec(link)?.[1]).get("cursor") ?? "";
    expect((await send("GET", `/api/users?limit=1&sort=login&cursor=${cursor}`)).status).toBe(200);
    const flipped = (cursor.startsWith("A") ? "B" : "A") + cursor.slice(1);
    for (const path of [
      `/api/users?sort=login&cursor=${flipped}`,
      `/api/users?sort=email&cursor=${cursor}`,
      `/api/users?sort=login&active=true&cursor=${cursor}`,
      `/api/groups?cursor=${cursor}`,
    ])
      expect((await send("GET", path)).status).toBe(400);
    const other = await addUser("op", { role: "operator" });
    expect((await send("GET", `/api/users?sort=login&cursor=${cursor}`, { token: other.token })).status).toBe(400);
  });

  test.each([
    ["no header", undefined],
    ["another scheme", "Basic YTpi"],
    ["no token", "Bearer "],
    ["a token of the wrong form", "Bearer bth_x"],
    ["a mistyped token", (token: string) => `Bearer ${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`],
    ["two tokens", (token: string) => `Bearer ${token}, Bearer ${token}`],
    ["100,000 characters", `Bearer ${"x".repeat(100_000)}`],
    ["SQL", "Bearer ' or 1=1"],
  ])("authorization by %s is 401", async (_name, value) => {
    const header = typeof value === "function" ? value(directory.admin) : value;
    const answer = await directory.send("GET", "/api/me", {
      token: null,
      headers: header ? { authorization: header } : {},
    });
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="berth"']);
  });

  test("methods and headers do not bypass checks", async () => {
    const { send } = directory;
    expect((await send("HEAD", "/api/users", { token: null })).status).toBe(401);
    expect((await send("HEAD", "/api/users")).text).toBe("");
    expect((await send("OPTIONS", "/api/users", { token: null })).status).toBe(405);
    const { id, token } = await directory.addUser("ann");
    const headers = {
      "x-http-method-override": "DELETE",
      "x-forwarded-for": "10.0.0.1",
      "x-original-url": "/api/users",
    };
    expect((await send("GET", `/api/users/${id}`, { token, headers })).status).toBe(200);
    expect((await send("GET", `/api/users/${id}`)).status).toBe(200);
    expect((await send("GET", "/api//users")).status).toBe(404);
    expect((await send("GET", "/api/users/")).status).toBe(404);
    expect((await send("GET", "/API/users")).status).toBe(404);
  });

  test.each([
    ["both owners", { kind: "images", patterns: ["*"], userId: 1, groupId: 1 }, "/userId"],
    ["an owner of its own", { kind: "images", patterns: ["*"], owner: { type: "user", id: 2 } }, "/owner"],
    ["an unknown kind", { kind: "colour" }, "/kind"],
    ["no value", { kind: "images" }, "/patterns"],
    ["another kind's value", { kind: "images", patterns: [], ports: [] }, "/ports"],
    ["a reversed range", { kind: "host-ports", ports: [{ start: 90, end: 80 }] }, "/ports/0/end"],
    ["port 0", { kind: "host-ports", ports: [{ start: 0 }] }, "/ports/0/start"],
    ["port 65536", { kind: "host-ports", ports: [{ start: 65_536 }] }, "/ports/0/start"],
    ["ports as text", { kind: "host-ports", ports: [{ start: "80-" }] }, "/ports/0/start"],
    ["a CIDR of /33", { kind: "host-interfaces", addresses: ["10.0.0.0/33"] }, "/addresses/0"],
    ["a zone", { kind: "host-interfaces", addresses: ["fe80::1%eth0"] }, "/addresses/0"],
    ["octal addresses", { kind: "host-interfaces", addresses: ["010.0.0.1"] }, "/addresses/0"],
    ["nine stars", { kind: "images", patterns: ["*".repeat(9)] }, "/patterns/0"],
    ["a quota of -1", { kind: "quota", resource: "memory", max: -1 }, "/max"],
    ["a quota as text", { kind: "quota", resource: "memory", max: "5" }, "/max"],
    ["a quota of 2^63", { kind: "quota", resource: "memory", max: 2 ** 63 }, "/max"],
    ["a denied quota", { kind: "quota", resource: "memory", max: 5, effect: "deny" }, "/effect"],
    ["NUL in a path", { kind: "mounts", folders: [{ path: "/a\0" }] }, "/folders/0/path"],
    ["NUL in a note", { kind: "images", patterns: ["*"], note: "a\0" }, "/note"],
    ["no instant", { kind: "images", patterns: ["*"], expiresAt: "tomorrow" }, "/expiresAt"],
  ])("a constraint with %s is 422", async (_name, json, pointer) => {
    const answer = await directory.send("POST", "/api/users/1/constraints", { json });
    expect([answer.status, answer.json.errors[0].pointer]).toEqual([422, pointer]);
    expect((await directory.send("GET", "/api/users/1/constraints")).json).toEqual([]);
  });

  test.each([
    ["a NUL", "a\0@example.test"],
    ["no part before the @", "@example.test"],
    ["a line's end", "ann@example.test\n"],
    ["60,000 dots", `a@${".".repeat(60_000)}`],
    ["nested quotes", `${'"'.repeat(5_000)}@${'"'.repeat(5_000)}`],
  ])("an e-mail with %s is 422", async (_name, email) => {
    const answer = await directory.send("POST", "/api/users", { json: { login: "ann", email } });
    expect([answer.status, answer.json.errors[0].pointer]).toEqual([422, "/email"]);
    expect(directory.faults).toEqual([]);
  });

  test("an IPv4-mapped IPv6 address equals the IPv4 address", async () => {
    const json = { kind: "host-interfaces", effect: "deny", addresses: ["::ffff:10.0.0.5"] };
    expect((await directory.send("POST", "/api/users/1/constraints", { json })).status).toBe(201);
    const { id, token } = await directory.addUser("ann");
    await directory.send("POST", `/api/users/${id}/constraints`, { json });
    for (const hostIp of ["10.0.0.5", "::ffff:10.0.0.5", "0.0.0.0"]) {
      const request = { ports: [{ hostIp, hostPort: { start: 9000, end: 9000 } }] };
      const decision = await directory.send("POST", "/api/decisions", { token, json: { request } });
      expect(decision.json.decision).toBe("refuse");
    }
  });

  test("a body of 100,000 port ranges is 413", async () => {
    const json = { kind: "host-ports", ports: Array.from({ length: 100_000 }, () => ({ start: 1 })) };
    expect((await directory.send("POST", "/api/users/1/constraints", { json })).status).toBe(413);
  });

  test("a quota of 1e400 is rejected", async () => {
    const body = '{"kind":"quota","resource":"memory","max":1e400}';
    expect((await directory.send("POST", "/api/users/1/constraints", { body, headers: POST })).status).toBe(422);
  });

  test("the database rejects a constraint with two owners or none", async () => {
    const { db } = directory.database;
    await directory.addGroup("ops");
    for (const owners of ["1, 1", "null, null"])
      await expect(
        db.execute(
          `insert into directory.constraints (user_id, group_id, effect, kind, value) values (${owners}, 'deny', 'images', '{}')`,
        ),
      ).rejects.toThrow("Failed query");
  });

  test("a refusal of a path with NUL is recorded as it was sent", async () => {
    const path = "/scim/v2/Schemas/%00";
    expect((await directory.send("GET", `${path}?filter=x`)).status).toBe(403);
    expect(directory.faults).toEqual([]);
    const [entry] = (await directory.send("GET", "/api/audit?action=access.refuse")).json;
    expect(entry).toMatchObject({ outcome: "refused", after: { path } });
  });

  test("answers are not cacheable and contain no secrets", async () => {
    const { id } = await directory.addUser("ann");
    for (const path of [
      "/api/users",
      `/api/users/${id}`,
      "/api/me",
      "/api/audit",
      "/api/tokens",
      `/api/users/${id}/groups`,
    ]) {
      const answer = await directory.send("GET", path);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.text).not.toMatch(/argon2|pass_?hash|sha256|bth_|correct horse/i);
    }
    const refused = await directory.send("POST", "/api/users", { json: { ...user("x"), pass: PASS, role: 5 } });
    expect(refused.text).not.toContain(PASS);
  });
});
