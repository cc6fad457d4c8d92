import { expect, test } from "vitest";
import { describeDirectory, PASS } from "../directory.testing.ts";

describeDirectory("fields of one's own", (directory) => {
  test.each(["users", "groups"])(
    "of %s are kept with their types, merged by PATCH and replaced by PUT",
    async (kind) => {
      const identity = kind === "users" ? { login: "ann", email: "ann@example.test" } : { name: "web" };
      const fields = { costCentre: "4711", floor: 3, external: false };
      const made = await directory.send("POST", `/api/${kind}`, { json: { ...identity, fields } });
      expect(made.json.fields).toEqual(fields);
      const path = `/api/${kind}/${made.json.id}`;
      const patched = await directory.send("PATCH", path, { json: { fields: { floor: null, room: "b" } } });
      expect(patched.json.fields).toEqual({ costCentre: "4711", external: false, room: "b" });
      expect((await directory.send("PUT", path, { json: identity })).json.fields).toEqual(patched.json.fields);
      expect((await directory.send("PUT", path, { json: { ...identity, fields: { a: 1 } } })).json.fields).toEqual({
        a: 1,
      });
      expect((await directory.send("GET", path)).json.fields).toEqual({ a: 1 });
      const [entry] = (await directory.send("GET", `/api/audit?target=${kind.slice(0, -1)}/${made.json.id}`)).json;
      expect([entry.before.fields, entry.after.fields]).toEqual([patched.json.fields, { a: 1 }]);
    },
  );

  test.each([
    [{ "": 1 }, "/fields/"],
    [{ "1st": 1 }, "/fields/1st"],
    [{ a: null }, "/fields/a"],
    [{ a: [1] }, "/fields/a"],
    [{ a: "x".repeat(1_001) }, "/fields/a"],
    [{ a: "\u0000" }, "/fields/a"],
    [Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`k${at}`, 1])), "/fields"],
    [Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`k${at}`, "x".repeat(1_000)])), "/fields"],
    ["text", "/fields"],
  ])("are refused where they are not simple: %#", async (fields, pointer) => {
    const answer = await directory.send("POST", "/api/users", { json: { login: "ann", fields } });
    expect([answer.status, answer.json.errors[0].pointer]).toEqual([422, pointer]);
    const { id } = await directory.addUser("bob", { fields: { a: 1 } });
    if (fields !== null && typeof fields === "object" && Object.values(fields)[0] === null) return;
    const patched = await directory.send("PATCH", `/api/users/${id}`, { json: { fields } });
    expect(patched.status).toBe(422);
    expect((await directory.send("GET", `/api/users/${id}`)).json.fields).toEqual({ a: 1 });
  });
});

describeDirectory("a service account", (directory) => {
  test("needs neither e-mail nor password, uses tokens, and is listed as what it is", async () => {
    const made = await directory.send("POST", "/api/users", { json: { login: "ci", kind: "service" } });
    expect([made.status, made.json.kind, made.json.email]).toEqual([201, "service", null]);
    await directory.addUser("ann");
    const listed = (await directory.send("GET", "/api/users?kind=service")).json;
    expect(listed.map(({ login }: { login: string }) => login)).toEqual(["ci"]);
    const issued = await directory.send("POST", "/api/tokens", {
      json: { label: "ci", scopes: ["read"], userId: made.json.id },
    });
    expect((await directory.send("GET", "/api/me", { token: issued.json.token })).json.kind).toBe("service");
  });

  test("never gets a password, by any way", async () => {
    const json = { login: "ci", kind: "service" };
    expect((await directory.send("POST", "/api/users", { json: { ...json, pass: PASS } })).status).toBe(422);
    const { id } = (await directory.send("POST", "/api/users", { json })).json;
    expect((await directory.send("PATCH", `/api/users/${id}`, { json: { pass: PASS } })).status).toBe(422);
    expect((await directory.send("POST", `/api/users/${id}/pass-links`)).status).toBe(409);
    const Operations = [{ op: "replace", path: "password", value: PASS }];
    expect((await directory.send("PATCH", `/scim/v2/Users/${id}`, { json: { Operations } })).status).toBe(400);
    const token = (await directory.send("POST", "/api/tokens", { json: { label: "x", scopes: ["write"], userId: id } }))
      .json.token;
    expect((await directory.send("PUT", "/api/me/pass", { token, json: { pass: PASS } })).status).toBe(422);
    const session = await directory.send("POST", "/api/login", { token: null, json: { login: "ci", pass: PASS } });
    expect(session.status).toBe(401);
    expect(directory.faults).toEqual([]);
  });

  test("is not locked by failed sign-ins: its tokens go on", async () => {
    const { id } = (await directory.send("POST", "/api/users", { json: { login: "ci", kind: "service" } })).json;
    const { token } = (
      await directory.send("POST", "/api/tokens", { json: { label: "x", scopes: ["read"], userId: id } })
    ).json;
    for (let at = 0; at < 8; at++)
      await directory.send("POST", "/api/login", { token: null, json: { login: "ci", pass: PASS } });
    expect((await directory.send("GET", "/api/me", { token })).status).toBe(200);
  });

  test("stays a service account", async () => {
    const { id } = (await directory.send("POST", "/api/users", { json: { login: "ci", kind: "service" } })).json;
    expect((await directory.send("PATCH", `/api/users/${id}`, { json: { kind: "person" } })).status).toBe(422);
  });
});
