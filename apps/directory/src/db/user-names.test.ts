import { expect, test } from "vitest";
import { describeDirectory, PASS } from "../directory.testing.ts";

describeDirectory("logins and e-mails are one namespace", (directory) => {
  const bob = { login: "bob", email: "bob@example.test", pass: PASS };
  const signIn = (login: string) => directory.send("POST", "/api/login", { token: null, json: { login, pass: PASS } });

  test.each<[string, object, string]>([
    ["login", { login: "BOB@example.test", email: "eve@example.test" }, "/login"],
    ["login that is a login", { login: "Bob", email: "eve@example.test" }, "/login"],
    ["e-mail", { login: "eve", email: "BOB@EXAMPLE.test" }, "/email"],
    ["e-mail that is a login", { login: "eve", email: "first@last" }, "/email"],
  ])("a new user cannot take another's name as %s", async (_name, fields, pointer) => {
    await directory.send("POST", "/api/users", { json: bob });
    await directory.send("POST", "/api/users", { json: { login: "first@last", email: "f@example.test" } });
    const made = await directory.send("POST", "/api/users", { json: { ...fields, pass: PASS } });
    expect([made.status, made.json.errors]).toEqual([409, [{ pointer, detail: "is taken" }]]);
  });

  test("a login cannot become another's e-mail, and the other keeps signing in by it", async () => {
    await directory.send("POST", "/api/users", { json: bob });
    const eve = await directory.addUser("eve");
    const json = { login: "bob@example.test" };
    expect((await directory.send("PATCH", `/api/users/${eve.id}`, { json })).status).toBe(409);
    expect((await directory.send("PATCH", `/api/users/${eve.id}`, { token: eve.token, json })).status).toBe(403);
    expect((await signIn("bob@example.test")).json.user.login).toBe("bob");
  });

  test("a user may have its own e-mail as its login, and gives a name back by a change", async () => {
    const eve = await directory.addUser("eve");
    const path = `/api/users/${eve.id}`;
    const rename = (login: string) => directory.send("PATCH", path, { json: { login } });
    expect((await rename("eve@example.test")).status).toBe(200);
    expect((await signIn("eve")).status).toBe(401);
    expect((await signIn("eve@example.test")).status).toBe(200);
    expect(
      (await directory.send("POST", "/api/users", { json: { login: "eve", email: "e2@example.test" } })).status,
    ).toBe(201);
    expect((await rename("other")).status).toBe(200);
    expect((await signIn("eve@example.test")).status).toBe(200);
    await directory.send("DELETE", path);
    const again = { login: "eve@example.test", email: "other@example.test" };
    expect((await directory.send("POST", "/api/users", { json: again })).status).toBe(201);
  });

  test("of concurrent claims to one name, one succeeds", async () => {
    const claims = Array.from({ length: 10 }, (_, n) =>
      n % 2 === 0 ? { login: "shared@name", email: `u${n}@example.test` } : { login: `u${n}`, email: "shared@name" },
    );
    const made = await Promise.all(claims.map((json) => directory.send("POST", "/api/users", { json })));
    expect(made.map((one) => one.status).sort()).toEqual([201, ...Array(9).fill(409)]);
  });

  test.each([
    ["an existing user's e-mail", 1, [{ login: "bob@example.test", email: "x@example.test" }]],
    ["an existing user's login", 1, [{ login: "x", email: "first@last" }]],
    [
      "an earlier line's e-mail",
      2,
      [
        { login: "x", email: "x@example.test" },
        { login: "x@example.test", email: "y@example.test" },
      ],
    ],
  ])("an import reports the line with %s", async (_name, line, users) => {
    await directory.send("POST", "/api/users", { json: bob });
    await directory.send("POST", "/api/users", { json: { login: "first@last", email: "f@example.test" } });
    const answer = await directory.send("POST", "/api/import/users", {
      body: users.map((user) => JSON.stringify(user)).join("\n"),
      headers: { "content-type": "application/x-ndjson" },
    });
    expect([answer.status, answer.json.errors[0].pointer]).toEqual([409, `/${line}`]);
  });
});
