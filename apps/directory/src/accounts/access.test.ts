import { expect, test } from "vitest";
import { describeDirectory, type TestDirectory } from "../directory.testing.ts";
import { TOKEN_SCOPES } from "./records.ts";
import { issueToken } from "./tokens.ts";

/*
 * Every endpoint for every role. `self` is the user in the path, a `member` and a `manager` are of the group in the path;
 * a constraint in the path is that group's and a token in the path is self's. Where a stranger must not even learn that a
 * record is there, it gets 404.
 */
const ROLES = ["nobody", "stranger", "self", "member", "manager", "operator", "admin"] as const;
type RoleName = (typeof ROLES)[number];

const IMAGES = { kind: "images", patterns: ["*"] };
const user = { login: "new", email: "new@example.test" };
const SCIM_USER = { userName: "new", emails: [{ value: "new@example.test" }] };
const HOST_REPORT = { engineVersion: "0.1.0", containers: [], heldPorts: [], usage: [] };
const PLACES_REPORT = {
  turn: null,
  waitSeconds: 0,
  address: "tcp://build1.example.test:2375",
  memory: 2 ** 30,
  cpus: 2,
  places: [],
  refused: [],
};
const PLACE = { name: "ci", memory: 2 ** 30, cpus: 1 };
const REPORT = {
  host: "build1",
  entries: [
    {
      reportId: "0c9f6a4e-6f0e-4d5b-9f0a-0d8f6a4e6f0e",
      at: "2030-01-31T08:00:00.000Z",
      action: "container.start",
      target: "container/web",
      outcome: "done",
      bypass: true,
      details: { login: "root", via: "administrators-socket" },
    },
  ],
};
const TABLE: readonly [endpoint: string, statuses: string, json?: unknown][] = [
  ["GET /api/users", "401 403 403 403 403 200 200"],
  ["POST /api/users", "401 403 403 403 403 403 201", user],
  ["GET /api/users/{id}", "401 404 200 404 404 200 200"],
  ["PUT /api/users/{id}", "401 404 200 404 404 403 200", { login: "self", email: "self@example.test" }],
  ["PATCH /api/users/{id}", "401 404 200 404 404 403 200", { name: "Self" }],
  ["DELETE /api/users/{id}", "401 403 403 403 403 403 204"],
  ["GET /api/users/{id}/groups", "401 404 200 404 404 200 200"],
  ["GET /api/users/{id}/invitations", "401 404 200 404 404 200 200"],
  ["GET /api/users/{id}/constraints", "401 404 200 404 404 200 200"],
  ["POST /api/users/{id}/constraints", "401 403 403 403 403 403 201", IMAGES],
  ["GET /api/users/{id}/effective-constraints", "401 404 200 404 404 200 200"],
  ["GET /api/groups", "401 403 403 403 403 200 200"],
  ["POST /api/groups", "401 403 403 403 403 403 201", { name: "new" }],
  ["GET /api/groups/{id}", "401 404 404 200 200 200 200"],
  ["PUT /api/groups/{id}", "401 403 403 403 403 403 200", { name: "group" }],
  ["PATCH /api/groups/{id}", "401 403 403 403 403 403 200", { name: "group" }],
  ["DELETE /api/groups/{id}", "401 403 403 403 403 403 204"],
  ["GET /api/groups/{id}/members", "401 404 404 403 200 200 200"],
  ["PUT /api/groups/{id}/members/{userId}", "401 404 404 403 202 403 204"],
  ["DELETE /api/groups/{id}/members/{userId}", "401 404 404 403 204 403 204"],
  ["GET /api/groups/{id}/invitations", "401 403 403 403 403 200 200"],
  ["GET /api/groups/{id}/subgroups", "401 404 404 403 200 200 200"],
  ["PUT /api/groups/{id}/subgroups/{subgroupId}", "401 403 403 403 403 403 204"],
  ["DELETE /api/groups/{id}/subgroups/{subgroupId}", "401 403 403 403 403 403 204"],
  ["GET /api/groups/{id}/constraints", "401 404 404 200 200 200 200"],
  ["POST /api/groups/{id}/constraints", "401 403 403 403 403 403 201", IMAGES],
  ["GET /api/constraints/{id}", "401 404 404 200 200 200 200"],
  ["POST /api/constraints/{id}/sharers", "401 404 404 409 409 409 409", { userIds: [1] }],
  ["PUT /api/constraints/{id}", "401 403 403 403 403 403 200", IMAGES],
  ["DELETE /api/constraints/{id}", "401 403 403 403 403 403 204"],
  ["POST /api/decisions", "401 200 200 200 200 200 200", { request: {} }],
  ["GET /api/me", "401 200 200 200 200 200 200"],
  ["GET /api/tokens", "401 200 200 200 200 200 200"],
  ["POST /api/tokens", "401 201 201 201 201 201 201", { label: "x", scopes: ["read"] }],
  ["DELETE /api/tokens/{id}", "401 404 204 404 404 404 204"],
  ["GET /api/events", "401 403 403 403 403 200 200"],
  ["GET /api/export", "401 403 403 403 403 403 200"],
  ["POST /api/import", "401 403 403 403 403 403 415", {}],
  ["GET /api/export/users", "401 403 403 403 403 200 200"],
  ["POST /api/import/users", "401 403 403 403 403 403 415", {}],
  ["GET /scim/v2/ServiceProviderConfig", "401 200 200 200 200 200 200"],
  ["GET /scim/v2/ResourceTypes", "401 200 200 200 200 200 200"],
  ["GET /scim/v2/Schemas", "401 200 200 200 200 200 200"],
  ["GET /scim/v2/ResourceTypes/{name}", "401 200 200 200 200 200 200"],
  ["GET /scim/v2/Schemas/{name}", "401 404 404 404 404 404 404"],
  ["GET /scim/v2", "401 403 403 403 403 200 200"],
  ["POST /scim/v2/.search", "401 403 403 403 403 200 200", {}],
  ["POST /scim/v2/Users/.search", "401 403 403 403 403 200 200", {}],
  ["POST /scim/v2/Groups/.search", "401 403 403 403 403 200 200", {}],
  ["GET /scim/v2/Users", "401 403 403 403 403 200 200"],
  ["POST /scim/v2/Users", "401 403 403 403 403 403 201", SCIM_USER],
  ["GET /scim/v2/Users/{id}", "401 403 403 403 403 200 200"],
  ["PUT /scim/v2/Users/{id}", "401 403 403 403 403 403 200", SCIM_USER],
  [
    "PATCH /scim/v2/Users/{id}",
    "401 403 403 403 403 403 200",
    { Operations: [{ op: "replace", path: "active", value: false }] },
  ],
  ["DELETE /scim/v2/Users/{id}", "401 403 403 403 403 403 204"],
  ["GET /scim/v2/Groups", "401 403 403 403 403 200 200"],
  ["POST /scim/v2/Groups", "401 403 403 403 403 403 201", { displayName: "new" }],
  ["GET /scim/v2/Groups/{id}", "401 403 403 403 403 200 200"],
  ["PUT /scim/v2/Groups/{id}", "401 403 403 403 403 403 200", { displayName: "group" }],
  ["PATCH /scim/v2/Groups/{id}", "401 403 403 403 403 403 200", { Operations: [{ op: "remove", path: "members" }] }],
  ["DELETE /scim/v2/Groups/{id}", "401 403 403 403 403 403 204"],
  ["GET /api/audit", "401 200 200 200 200 200 200"],
  ["GET /api/hosts", "401 200 200 200 200 200 200"],
  ["GET /api/usage", "401 200 200 200 200 200 200"],
  ["PUT /api/hosts/{name}/report", "401 403 403 403 403 204 403", HOST_REPORT],
  ["GET /api/fleet/hosts", "401 200 200 200 200 200 200"],
  ["PUT /api/fleet/hosts/{name}", "401 403 403 403 403 200 403", PLACES_REPORT],
  ["PATCH /api/fleet/hosts/{name}", "401 403 403 403 403 403 404", { isDraining: true }],
  ["DELETE /api/fleet/hosts/{name}", "401 403 403 403 403 403 404"],
  ["GET /api/fleet/places", "401 200 200 200 200 200 200"],
  ["POST /api/fleet/places", "401 409 409 409 409 409 409", PLACE],
  ["POST /api/fleet/places/{id}/extend", "401 404 404 404 404 404 404", { seconds: 60 }],
  ["DELETE /api/fleet/places/{id}", "401 404 404 404 404 404 404"],
  // The administrator's own token does not report.
  ["POST /api/audit/reports", "401 403 403 403 403 204 403", REPORT],
  ["PUT /api/me/pass", "401 204 204 204 204 204 204", { pass: "another horse 22" }],
  ["POST /api/users/{id}/pass-links", "401 403 403 403 403 403 201"],
  ["PUT /api/pass", "401 403 403 403 403 403 403", { pass: "another horse 22" }],
  ["GET /api/users/{id}/identities", "401 404 200 404 404 200 200"],
  ["DELETE /api/users/{id}/identities", "401 403 403 403 403 403 204"],
  ["GET /api/device-logins/{name}", "401 404 404 404 404 404 404"],
  ["PUT /api/device-logins/{name}", "401 404 404 404 404 404 404", { answer: "approve" }],
  // None of them has a password.
  ["POST /api/me/second-factor", "401 409 409 409 409 409 409", { pass: "correct horse 1" }],
  ["PUT /api/me/second-factor", "401 409 409 409 409 409 409", { code: "123456" }],
  ["POST /api/me/second-factor/recovery-codes", "401 409 409 409 409 409 409", { code: "123456" }],
  ["POST /api/me/second-factor/disable", "401 409 409 409 409 409 409", { code: "123456" }],
  ["GET /api/users/{id}/second-factor", "401 404 200 404 404 200 200"],
  ["DELETE /api/users/{id}/second-factor", "401 403 403 403 403 403 204"],
  ["POST /api/logout", "401 204 204 204 204 204 204"],
];

interface House {
  readonly tokens: Readonly<Record<RoleName, string | null>>;
  readonly ids: Readonly<Record<"self" | "stranger" | "group" | "subgroup" | "constraint", number>>;
}

/** In one transaction, since it is laid anew for every endpoint. */
async function furnish(directory: TestDirectory): Promise<House> {
  const ids: Record<string, number> = {};
  const tokens: Record<string, string | null> = { nobody: null, admin: directory.admin };
  await directory.deps.records.change(null, async (stores) => {
    for (const name of ["stranger", "self", "member", "manager", "operator"] as const) {
      const role = name === "operator" ? "operator" : "user";
      const email = `${name}@example.test`;
      const fields = { login: name, email, name: null, role, active: true, externalId: null, passHash: null } as const;
      const user = await stores.users.create(fields);
      ids[name] = user.id;
      tokens[name] = (
        await issueToken(stores, { userId: user.id, label: "test", scopes: TOKEN_SCOPES, expiresAt: null })
      ).token;
    }
    const group = await stores.groups.create({ name: "group", externalId: null });
    await stores.memberships.put(ids.member ?? 0, group.id, "member");
    await stores.memberships.put(ids.manager ?? 0, group.id, "manager");
    const fields = {
      constraint: { kind: "images", effect: "limit", patterns: ["*"] },
      note: null,
      expiresAt: null,
    } as const;
    const constraint = await stores.constraints.create({ type: "group", id: group.id }, fields);
    const subgroup = await stores.groups.create({ name: "subgroup", externalId: null });
    Object.assign(ids, { group: group.id, subgroup: subgroup.id, constraint: constraint.id });
  });
  return { tokens, ids } as House;
}

async function newToken({ send }: TestDirectory, userId: number): Promise<{ id: number; token: string }> {
  return (await send("POST", "/api/tokens", { json: { label: "test", scopes: ["read", "write", "engine"], userId } }))
    .json;
}

function pathOf(endpoint: string, house: House, tokenId: number): string {
  const path = endpoint.split(" ")[1] ?? "";
  const id = /^\/(?:api\/users|scim\/v2\/Users)/.test(path)
    ? house.ids.self
    : /^\/(?:api\/groups|scim\/v2\/Groups)/.test(path)
      ? house.ids.group
      : path.startsWith("/api/constraints")
        ? house.ids.constraint
        : path.startsWith("/api/fleet")
          ? 1
          : tokenId;
  return path
    .replace("{id}", String(id))
    .replace("{userId}", String(house.ids.stranger))
    .replace("{subgroupId}", String(house.ids.subgroup))
    .replace("{name}", "User");
}

describeDirectory("access", (directory) => {
  test("lists every endpoint that needs a token", () => {
    const guarded = directory.app.endpoints.filter((one) => one.access !== "anyone");
    const names = guarded.map((one) => `${one.method.toUpperCase()} ${one.path}`);
    expect(TABLE.map(([name]) => name).sort()).toEqual(names.sort());
  });

  test.each(TABLE)("%s answers %s", async (endpoint, statuses, json) => {
    const house = await furnish(directory);
    const answers: number[] = [];
    for (const role of ROLES) {
      const tokenId = endpoint.includes("/api/tokens/") ? (await newToken(directory, house.ids.self)).id : 0;
      const [method = ""] = endpoint.split(" ");
      const sent = { token: house.tokens[role], json: uniqueFor(role, endpoint, json) };
      answers.push((await directory.send(method, pathOf(endpoint, house, tokenId), sent)).status);
    }
    expect(answers.join(" ")).toBe(statuses);
    expect(directory.faults).toEqual([]);
  });

  test.each([
    [["read"], "GET", "/api/me", 200],
    [["engine"], "GET", "/api/me", 200],
    [["read"], "GET", "/api/users", 200],
    [["engine"], "GET", "/api/users", 403],
    [["write"], "GET", "/api/users", 403],
    [["read"], "POST", "/api/users", 403],
    [["write"], "POST", "/api/users", 201],
    [["engine"], "GET", "/api/users/1/effective-constraints", 200],
    [["engine"], "POST", "/api/tokens", 403],
    [["report"], "POST", "/api/audit/reports", 204],
    [["read", "write", "engine"], "POST", "/api/audit/reports", 403],
    [["report"], "GET", "/api/me", 200],
    [["report"], "GET", "/api/audit", 403],
  ])("a token with the scopes %j gets %s %s: %i", async (scopes, method, path, status) => {
    const made = await directory.send("POST", "/api/tokens", { json: { label: "narrow", scopes } });
    const bodies: Record<string, object> = { "/api/users": user, "/api/audit/reports": REPORT };
    const json = method === "POST" ? (bodies[path] ?? { label: "x", scopes: ["read"] }) : undefined;
    expect((await directory.send(method, path, { token: made.json.token, json })).status).toBe(status);
  });

  test("a token cannot grant a scope that it lacks", async () => {
    const made = await directory.send("POST", "/api/tokens", { json: { label: "writer", scopes: ["write"] } });
    const wider = { token: made.json.token, json: { label: "x", scopes: ["read"] } };
    expect((await directory.send("POST", "/api/tokens", wider)).status).toBe(403);
  });

  test("only administrators make tokens that report to the audit", async () => {
    const { token } = await directory.addUser("ops", { role: "operator" });
    const json = { label: "x", scopes: ["report"] };
    expect((await directory.send("POST", "/api/tokens", { token, json })).status).toBe(403);
    expect((await directory.send("POST", "/api/tokens", { json })).status).toBe(201);
  });

  test.each(["login", "role", "active", "externalId", "fields"])("a user can't set its own %s", async (field) => {
    const { id, token } = await directory.addUser("ann");
    const value = { login: "gone", role: "admin", active: false, externalId: "x", fields: { a: 1 } }[field];
    const before = (await directory.send("GET", `/api/users/${id}`)).json;
    for (const method of ["PATCH", "PUT"]) {
      const json = { login: "ann", email: "ann@example.test", [field]: value };
      expect((await directory.send(method, `/api/users/${id}`, { token, json })).status).toBe(403);
    }
    expect((await directory.send("GET", `/api/users/${id}`)).json).toEqual(before);
  });

  test.each(["id", "version", "pass_hash", "passHash", "createdAt", "policyVersion"])(
    "nobody sets %s",
    async (field) => {
      const { id } = await directory.addUser("ann");
      const answer = await directory.send("PATCH", `/api/users/${id}`, { json: { [field]: 7 } });
      expect(answer.status).toBe(422);
      expect(answer.json.errors).toEqual([{ pointer: `/${field}`, detail: "is not a known field" }]);
    },
  );

  test("a manager cannot appoint or demote managers", async () => {
    const house = await furnish(directory);
    const members = `/api/groups/${house.ids.group}/members`;
    const token = house.tokens.manager;
    expect((await directory.send("PUT", `${members}/${house.ids.stranger}?role=manager`, { token })).status).toBe(403);
    const second = await directory.addUser("second", { pass: null });
    await directory.send("PUT", `${members}/${second.id}?role=manager`);
    expect((await directory.send("DELETE", `${members}/${second.id}`, { token })).status).toBe(403);
    expect((await directory.send("PUT", `${members}/${second.id}?role=member`, { token })).status).toBe(403);
  });

  test("a demoted or disabled administrator's token loses its rights immediately", async () => {
    const made = await directory.send("POST", "/api/users", { json: { ...user, role: "admin" } });
    const { token } = await newToken(directory, made.json.id);
    expect((await directory.send("GET", "/api/users", { token })).status).toBe(200);
    await directory.send("PATCH", `/api/users/${made.json.id}`, { json: { role: "user" } });
    expect((await directory.send("GET", "/api/users", { token })).status).toBe(403);
    await directory.send("PATCH", `/api/users/${made.json.id}`, { json: { active: false } });
    expect((await directory.send("GET", "/api/me", { token })).status).toBe(401);
  });
});

/** What several roles may create has to differ between them. */
function uniqueFor(role: RoleName, endpoint: string, json: unknown): unknown {
  if (endpoint === "POST /api/users") return { login: `new-${role}`, email: `${role}@new.test` };
  return json;
}
