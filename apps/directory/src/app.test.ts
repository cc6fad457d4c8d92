import { expect, test } from "vitest";
import { describeOnEachDatabase, PASS } from "./directory.testing.ts";

describeOnEachDatabase("directory", (directory) => {
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
    expect((await send("DELETE", path)).status).toBe(204);
    expect((await send("DELETE", path)).status).toBe(404);
    expect((await send("GET", path)).status).toBe(404);
  });
});
