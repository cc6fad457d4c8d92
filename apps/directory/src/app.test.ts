import { expect, test } from "vitest";
import { describeDirectory, PASS } from "./directory.testing.ts";

describeDirectory("directory", (directory) => {
  test("creates, reads, replaces, patches and removes a user", async () => {
    const { send } = directory;
    const made = await send("POST", "/api/users", {
      json: { login: "ann", email: "ann@example.test", pass: PASS, name: "Ann" },
    });
    expect(made.status).toBe(201);
    expect(made.headers.get("location")).toBe(`/api/users/${made.json.id}`);
    expect(made.headers.get("etag")).toBe('"1"');
    const path = `/api/users/${made.json.id}`;
    expect((await send("GET", path)).json).toEqual(made.json);
    const patched = await send("PATCH", path, { json: { email: "a@example.test" } });
    expect(patched.json).toMatchObject({ login: "ann", email: "a@example.test", name: "Ann", version: 2 });
    const replaced = await send("PUT", path, { json: { login: "anna", email: "a@example.test" } });
    expect(replaced.json).toMatchObject({ login: "anna", name: null, role: "user", active: true, version: 3 });
    expect((await send("PUT", path, { json: { login: "anna" } })).json.errors).toEqual([
      { pointer: "/email", detail: "is required" },
    ]);
    const wrong = { login: 5, email: [], active: "yes", name: null };
    expect((await send("PUT", path, { json: wrong })).json.errors).toEqual([
      { pointer: "/login", detail: "must be a text" },
      { pointer: "/email", detail: "must be a text" },
      { pointer: "/active", detail: "must be true or false" },
    ]);
    expect((await send("DELETE", path)).status).toBe(204);
    expect((await send("DELETE", path)).status).toBe(404);
    expect((await send("GET", path)).status).toBe(404);
  });

  test("rejects changes without If-Match when BERTH_REQUIRE_IF_MATCH is set", async () => {
    const { id } = await directory.addUser("ann", { pass: null });
    Object.assign(directory.deps, { requireIfMatch: true });
    directory.restart();
    const path = `/api/users/${id}`;
    const json = { name: "Ann" };
    expect((await directory.send("PATCH", path, { json })).status).toBe(428);
    expect((await directory.send("DELETE", path)).status).toBe(428);
    expect((await directory.send("PATCH", path, { json, headers: { "if-match": '"1"' } })).status).toBe(200);
    expect((await directory.send("POST", "/api/groups", { json: { name: "ops" } })).status).toBe(201);
  });

  test("streams a whole list in order, each row once", async () => {
    await directory.database.db.execute(`insert into directory.users (login, login_key, email, email_key)
      select 'u' || n, 'u' || n, n || '@b.c', n || '@b.c' from generate_series(1, 2500) n`);
    const logins = (await directory.send("GET", "/api/users?sort=-login")).json.map(
      (one: { login: string }) => one.login,
    );
    expect(logins).toHaveLength(2_501);
    expect(logins).toEqual([...new Set(logins)].sort().reverse());
    const counted = await directory.send("GET", "/api/users?q=u1&limit=3&count=true&sort=login");
    expect(counted.headers.get("total-count")).toBe("1111");
    expect(counted.json.map((one: { login: string }) => one.login)).toEqual(["u1", "u10", "u100"]);
    expect((await directory.send("GET", "/api/groups")).text).toBe("[]");
  });
});
