import { expect, test } from "vitest";
import { describeDirectory, PASS, type Received, type Sent, type TestDirectory } from "../directory.testing.ts";

const HERE = { host: "directory.test", origin: "http://directory.test" };

async function signIn(directory: TestDirectory, headers: Record<string, string> = HERE): Promise<Received> {
  const json = { login: "ann", pass: PASS, cookie: true };
  return directory.send("POST", "/api/login", { token: null, json, headers });
}

/** The parts of `Set-Cookie`, the pair of name and value first. */
function cookieOf(answer: Received) {
  return answer.headers.get("set-cookie")?.split("; ") ?? [];
}

describeDirectory("a session in a cookie", (directory) => {
  /** Asks as a browser that holds `cookie` does. */
  const ask = (method: string, path: string, cookie: string | undefined, sent: Sent = {}) =>
    directory.send(method, path, { token: null, ...sent, headers: { ...sent.headers, cookie: cookie ?? "" } });

  test("is HttpOnly, SameSite=Strict, limited to /api, and expires with the session", async () => {
    await directory.addUser("ann");
    directory.clock = new Date("2030-01-01T00:00:00Z");
    const answer = await signIn(directory);
    expect(answer.json).toEqual({ expiresAt: "2030-01-01T12:00:00.000Z", user: expect.anything() });
    const [pair = "", ...attributes] = cookieOf(answer);
    expect(pair).toMatch(/^berth_session=bth_[\w-]+$/);
    expect(attributes).toEqual(["Max-Age=43200", "Path=/api", "HttpOnly", "SameSite=Strict"]);
    expect((await ask("GET", "/api/me", pair)).json).toMatchObject({ login: "ann" });
    directory.clock = new Date("2030-01-01T12:00:00Z");
    expect((await ask("GET", "/api/me", pair)).status).toBe(401);
  });

  test.each([
    ["by TLS", "https://directory.test/api/login", {}],
    ["by a proxy that ends TLS", "/api/login", { origin: "https://berth.example" }],
  ])("is kept for TLS alone when it was made %s", async (_name, path, headers) => {
    await directory.addUser("ann");
    const json = { login: "ann", pass: PASS, cookie: true };
    const answer = await directory.send("POST", path, { token: null, json, headers });
    expect(cookieOf(answer)).toContain("Secure");
  });

  test("is set only on request and only for the right password", async () => {
    await directory.addUser("ann");
    const plain = await directory.send("POST", "/api/login", { token: null, json: { login: "ann", pass: PASS } });
    expect([plain.headers.get("set-cookie"), typeof plain.json.token]).toEqual([null, "string"]);
    const json = { login: "ann", pass: "wrong horse 123", cookie: true };
    const wrong = await directory.send("POST", "/api/login", { token: null, json });
    expect([wrong.status, wrong.headers.get("set-cookie")]).toEqual([401, null]);
  });

  test.each([
    [200, { "sec-fetch-site": "same-origin" }],
    [200, { "sec-fetch-site": "same-origin", origin: "https://berth.example", host: "behind-a-proxy:7780" }],
    [200, { origin: "http://directory.test", host: "directory.test" }],
    [403, { "sec-fetch-site": "same-site", ...HERE }],
    [403, { "sec-fetch-site": "cross-site", ...HERE }],
    [403, { "sec-fetch-site": "none", ...HERE }],
    [403, { origin: "http://evil.test", host: "directory.test" }],
    [403, { origin: "http://directory.test:8080", host: "directory.test" }],
    [403, { origin: "null", host: "directory.test" }],
    [403, { origin: "nonsense", host: "directory.test" }],
    [403, { host: "directory.test" }],
    [403, {}],
  ])("answers a write with %i when the browser sends %j; reads need no header", async (status, headers) => {
    const { id } = await directory.addUser("ann");
    const [cookie] = cookieOf(await signIn(directory));
    const changed = await ask("PATCH", `/api/users/${id}`, cookie, { json: { name: "Ann" }, headers });
    expect(changed.status).toBe(status);
    const read = await ask("GET", "/api/me", cookie, { headers });
    expect([read.status, read.json.name]).toEqual([200, status === 200 ? "Ann" : null]);
    if (status === 403) expect((await ask("POST", "/api/logout", cookie, { headers })).status).toBe(403);
  });

  test("is ignored when the request has an Authorization header, valid or not", async () => {
    await directory.addUser("ann");
    const [cookie] = cookieOf(await signIn(directory));
    expect((await ask("GET", "/api/me", cookie, { token: directory.admin })).json.login).toBe("admin");
    expect((await ask("GET", "/api/me", cookie, { token: "bth_wrong" })).status).toBe(401);
    const json = { name: "ops" };
    expect((await ask("POST", "/api/groups", cookie, { token: directory.admin, json })).status).toBe(201);
    const other = await directory.send("POST", "/api/login", { token: null, json: { login: "ann", pass: PASS } });
    const left = await ask("POST", "/api/logout", cookie, { token: other.json.token });
    expect([left.status, left.headers.get("set-cookie")]).toEqual([204, null]);
    expect((await ask("GET", "/api/me", cookie)).status).toBe(200);
  });

  test("takes precedence over a certificate, without falling back to it", async () => {
    await directory.addUser("ann");
    const [cookie] = cookieOf(await signIn(directory));
    directory.certificate = { name: "admin" };
    expect((await ask("GET", "/api/me", cookie)).json.login).toBe("ann");
    expect((await ask("GET", "/api/me", "berth_session=bth_wrong")).status).toBe(401);
  });

  test("ends at sign-out, which clears the cookie", async () => {
    await directory.addUser("ann");
    const [cookie] = cookieOf(await signIn(directory));
    const left = await ask("POST", "/api/logout", cookie, { headers: HERE });
    expect(left.status).toBe(204);
    expect(cookieOf(left)).toEqual(["berth_session=", "Max-Age=0", "Path=/api", "HttpOnly", "SameSite=Strict"]);
    expect((await ask("GET", "/api/me", cookie)).status).toBe(401);
  });

  test.each([
    "",
    "berth_session=",
    "berth_session=%00",
    `berth_session=${"x".repeat(100_000)}`,
    "other=bth_x",
    "=;=;;",
  ])("a cookie of %j opens nothing", async (cookie) => {
    expect((await ask("GET", "/api/me", cookie)).status).toBe(401);
    expect(directory.faults).toEqual([]);
  });
});
