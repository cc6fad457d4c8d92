import { expect, test } from "vitest";
import { describeDirectory, PASS, type Sent } from "../directory.testing.ts";

describeDirectory("a client certificate", (directory) => {
  /** Asks as the holder of the connection's certificate alone. */
  const ask = (method: string, path: string, sent: Sent = {}) => directory.send(method, path, { token: null, ...sent });

  test("authenticates the user whose login is its CN, with every scope", async () => {
    const { id } = await directory.addUser("Ann");
    directory.certificate = { name: "ann" };
    const me = await ask("GET", "/api/me");
    expect(me.json).toMatchObject({ id, login: "Ann", tokenId: null, scopes: ["read", "write", "engine"] });
    expect((await ask("GET", "/api/users")).status).toBe(403);
    directory.certificate = { name: "admin" };
    expect((await ask("GET", "/api/users")).json).toHaveLength(2);
  });

  test.each([
    [{ name: "nobody" }, "is not the login of an active user"],
    [{ name: "ann\0" }, "is not the login of an active user"],
    [{ name: "a".repeat(10_000) }, "is not the login of an active user"],
    [{ name: "ann@example.test" }, "is not the login of an active user"],
    [{ name: "gone" }, "is not the login of an active user"],
    [{ fault: "CERT_REVOKED" }, "was rejected: CERT_REVOKED"],
  ])("%j opens nothing", async (certificate, detail) => {
    await directory.addUser("ann");
    const gone = await directory.addUser("gone");
    await directory.send("PATCH", `/api/users/${gone.id}`, { json: { active: false } });
    directory.certificate = certificate;
    const answer = await ask("GET", "/api/me");
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toContain("Bearer");
    expect(answer.json.detail).toContain(detail);
  });

  test("is rejected once its user is disabled", async () => {
    const { id } = await directory.addUser("ann");
    directory.certificate = { name: "ann" };
    expect((await ask("GET", "/api/me")).status).toBe(200);
    await directory.send("PATCH", `/api/users/${id}`, { json: { active: false } });
    expect((await ask("GET", "/api/me")).status).toBe(401);
  });

  test("is ignored when the request has a token, valid or not", async () => {
    const { token } = await directory.addUser("ann");
    directory.certificate = { name: "admin" };
    expect((await ask("GET", "/api/me", { token })).json.login).toBe("ann");
    expect((await ask("GET", "/api/me", { token: "bth_wrong" })).status).toBe(401);
    directory.certificate = { fault: "CERT_HAS_EXPIRED" };
    expect((await ask("GET", "/api/me", { token })).status).toBe(200);
  });

  test("is rejected for pages of other origins", async () => {
    directory.certificate = { name: "admin" };
    const from = (origin: string) => ask("GET", "/api/users", { headers: { origin, host: "directory.test" } });
    expect((await from("https://directory.test")).status).toBe(200);
    expect((await from("https://evil.test")).status).toBe(403);
    expect((await from("null")).status).toBe(403);
  });

  test("has no token, so sign-out and a new password leave it alone", async () => {
    const { token } = await directory.addUser("ann");
    directory.certificate = { name: "ann" };
    expect((await ask("POST", "/api/logout")).status).toBe(204);
    expect((await ask("GET", "/api/me")).status).toBe(200);
    const changed = await ask("PUT", "/api/me/pass", { json: { current: PASS, pass: "another horse, battery 2" } });
    expect(changed.status).toBe(204);
    expect((await ask("GET", "/api/me", { token })).status).toBe(401);
    expect((await ask("GET", "/api/me")).status).toBe(200);
  });
});
