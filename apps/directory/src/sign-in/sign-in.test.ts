import { expect, test } from "vitest";
import { describeDirectory, PASS, TEST_COST, type TestDirectory } from "../directory.testing.ts";
import { DirectoryError } from "../errors/directory-error.ts";
import { createHasher, type Hasher } from "../passwords/hasher.ts";

/** 256 code points, and not repetitive at its start. */
const LONGEST = [..."vJ8 🐎 kettle of purple fish, ".repeat(10)].slice(0, 256).join("");
function minutes(count: number) {
  return count * 60_000;
}

function signIn(directory: TestDirectory, login: string, pass: string, address = "127.0.0.1") {
  return directory.send("POST", "/api/login", {
    token: null,
    json: { login, pass },
    headers: { "x-test-address": address },
  });
}

async function storedHash(directory: TestDirectory, id: number): Promise<string> {
  return (await directory.deps.records.users.passHash(id)) ?? "";
}

describeDirectory("signing in", (directory) => {
  test.each([
    ["login", "ann"],
    ["LOGIN", "ANN"],
    ["e-mail", "Ann@Example.Test"],
  ])("by %s", async (_name, login) => {
    const { id } = await directory.addUser("ann");
    const session = await signIn(directory, login, PASS);
    expect([session.status, session.json.user.id]).toEqual([200, id]);
    const me = await directory.send("GET", "/api/me", { token: session.json.token });
    expect(me.json).toMatchObject({ id, login: "ann", scopes: ["read", "write", "engine"] });
    expect((await directory.send("POST", "/api/logout", { token: session.json.token })).status).toBe(204);
    expect((await directory.send("GET", "/api/me", { token: session.json.token })).status).toBe(401);
  });

  test.each([
    "an unknown user",
    "a wrong password",
    "a disabled user",
    "a user without a password",
    "a password too long to be one",
  ])("%s gets the same answer, and one hash is verified", async (who) => {
    await directory.addUser("ann", { active: who !== "a disabled user" });
    await directory.addUser("bob", { pass: null });
    let verified = 0;
    const { hasher } = directory.deps;
    const counting: Hasher = {
      ...hasher,
      verify(hash, pass) {
        verified++;
        return hasher.verify(hash, pass);
      },
    };
    Object.assign(directory.deps, { hasher: counting });
    directory.restart();
    const login = who === "an unknown user" ? "eve" : who === "a user without a password" ? "bob" : "ann";
    const pass =
      who === "a disabled user" ? PASS : who.startsWith("a password too") ? "x".repeat(5_000) : "wrong horse 123";
    const answer = await signIn(directory, login, pass);
    expect([answer.status, answer.json.detail]).toEqual([401, "Login or password is wrong."]);
    expect(verified).toBe(who.startsWith("a password too") ? 0 : 1);
  });

  test("five failures from one address wait 1, 2, 4 … seconds, at most 15 minutes, across restarts", async () => {
    await directory.addUser("ann", { pass: PASS });
    directory.clock = new Date("2030-01-01T00:00:00Z");
    const address = "10.9.9.9";
    for (let n = 0; n < 5; n++) expect((await signIn(directory, "ann", "wrong horse 123", address)).status).toBe(401);
    for (const wait of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
      directory.restart();
      const blocked = await signIn(directory, "ANN", PASS, address);
      expect([blocked.status, blocked.headers.get("retry-after")]).toEqual([429, String(wait)]);
      directory.clock = new Date(directory.clock.getTime() + wait * 1_000);
      expect((await signIn(directory, "ann", "wrong horse 123", address)).status).toBe(401);
    }
    expect((await signIn(directory, "ann", PASS, "10.9.9.8")).status).toBe(200);
    directory.clock = new Date(directory.clock.getTime() + minutes(15));
    expect((await signIn(directory, "ann", PASS, address)).status).toBe(200);
    expect((await signIn(directory, "ann", "wrong horse 123", address)).status).toBe(401);
    expect((await signIn(directory, "ann", PASS, address)).status).toBe(200);
  });

  test("an address that tries many accounts waits, except for accounts that signed in from there before", async () => {
    await directory.addUser("ann");
    await directory.addUser("bob");
    expect((await signIn(directory, "bob", PASS, "10.0.0.66")).status).toBe(200);
    directory.clock = new Date("2030-01-01T00:00:00Z");
    for (let n = 0; n < 50; n++) await signIn(directory, `user${n}`, "wrong horse 123", "10.0.0.66");
    expect((await signIn(directory, "ann", PASS, "10.0.0.66")).status).toBe(429);
    expect((await signIn(directory, "ann", PASS, "10.0.0.67")).status).toBe(200);
    expect((await signIn(directory, "bob", "wrong horse 123", "10.0.0.66")).status).toBe(401);
    expect((await signIn(directory, "bob", PASS, "10.0.0.66")).status).toBe(200);
  });

  test.each(["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])(
    "failures from %s, which everyone on the host shares, delay no other account",
    async (address) => {
      await directory.addUser("ann");
      for (let n = 0; n < 120; n++) await signIn(directory, `user${n}`, "wrong horse 123", address);
      expect((await signIn(directory, "ann", PASS, address)).status).toBe(200);
    },
  );

  test("a hundred failures from many addresses delay an account, except where it signed in before", async () => {
    await directory.addUser("ann");
    directory.clock = new Date("2030-01-01T00:00:00Z");
    expect((await signIn(directory, "ann", PASS, "10.0.1.1")).status).toBe(200);
    for (let n = 0; n < 100; n++)
      expect((await signIn(directory, "ann", "wrong horse 123", `10.0.2.${n >> 2}`)).status).toBe(401);
    expect((await signIn(directory, "ann", PASS, "10.0.3.1")).status).toBe(429);
    expect((await signIn(directory, "ann", PASS, "10.0.1.1")).status).toBe(200);
  });

  test("failures are audited with address and count; unknown accounts ever more rarely", async () => {
    const { id } = await directory.addUser("ann");
    directory.clock = new Date("2030-01-01T00:00:00Z");
    for (let n = 0; n < 6; n++) await signIn(directory, "ann", "wrong horse 123", "10.0.0.5");
    for (let n = 0; n < 140; n++) await signIn(directory, `user${n}`, "wrong horse 123");
    const entries = async (target: string) => (await directory.send("GET", `/api/audit?target=${target}`)).json;
    const ofAnn = (await entries(`user/${id}`)).filter((one: { action: string }) => one.action.startsWith("signin."));
    expect(ofAnn.map((one: { action: string }) => one.action)).toEqual([
      "signin.lock",
      ...Array(4).fill("signin.fail"),
    ]);
    expect(ofAnn[0]).toMatchObject({
      actor: null,
      target: `user/${id}`,
      after: { address: "10.0.0.5", failures: 5, wait: 1 },
    });
    const unknown = await entries("signin");
    expect(unknown).toHaveLength(50 + 2);
    expect(unknown[0]).toMatchObject({ action: "signin.fail", after: { address: "127.0.0.1", addressFailures: 128 } });
    expect(JSON.stringify(unknown)).not.toContain("user1");
  });

  test.each<[string, (id: number, hash: string) => Promise<unknown>]>([
    ["a new password", (id) => directory.send("PATCH", `/api/users/${id}`, { json: { pass: "another horse 22" } })],
    ["being disabled", (id) => directory.send("PATCH", `/api/users/${id}`, { json: { active: false } })],
    ["being removed", (id) => directory.send("DELETE", `/api/users/${id}`)],
  ])("%s between the check of the password and the session prevents the session", async (_name, change) => {
    const { id } = await directory.addUser("ann");
    const { hasher } = directory.deps;
    const late: Hasher = {
      ...hasher,
      async verify(hash, pass) {
        const isRight = await hasher.verify(hash, pass);
        Object.assign(directory.deps, { hasher });
        directory.restart();
        await change(id, hash ?? "");
        return isRight;
      },
    };
    Object.assign(directory.deps, { hasher: late });
    directory.restart();
    expect((await signIn(directory, "ann", PASS)).status).toBe(401);
    const tokens = await directory.send("GET", `/api/tokens?userId=${id}`);
    expect(tokens.json).toEqual([]);
  });

  test("changing one's password fails when it changed after the check of the current one", async () => {
    const { id, token } = await directory.addUser("ann");
    const { hasher } = directory.deps;
    const late: Hasher = {
      ...hasher,
      async verify(hash, pass) {
        const isRight = await hasher.verify(hash, pass);
        await directory.deps.records.change(null, ({ users }) => users.change(id, { passHash: weakHash }));
        return isRight;
      },
    };
    const weakHash = await hasher.hash("changed by another");
    Object.assign(directory.deps, { hasher: late });
    directory.restart();
    const json = { current: PASS, pass: "another horse 22" };
    expect((await directory.send("PUT", "/api/me/pass", { token, json })).status).toBe(403);
    expect(await storedHash(directory, id)).toBe(weakHash);
  });

  test("an attempt that reaches the database out of order does not wait", async () => {
    await directory.addUser("ann");
    directory.clock = new Date("2030-01-01T00:00:01Z");
    expect((await signIn(directory, "ann", "wrong horse 123")).status).toBe(401);
    directory.clock = new Date("2030-01-01T00:00:00Z");
    expect((await signIn(directory, "ann", PASS)).status).toBe(200);
  });

  test("parallel attempts cannot bypass the block", async () => {
    await directory.addUser("ann");
    directory.clock = new Date("2030-01-01T00:00:00Z");
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => signIn(directory, "ann", `wrong horse ${n}00`)),
    );
    expect(answers.filter((one) => one.status === 401)).toHaveLength(5);
    expect(answers.filter((one) => one.status === 429)).toHaveLength(25);
  });

  test("a full hashing queue answers 503 with Retry-After and counts no failure", async () => {
    await directory.addUser("ann");
    const { hasher } = directory.deps;
    const full = () => Promise.reject(new DirectoryError("busy", "full", { retryAfter: 1 }));
    Object.assign(directory.deps, { hasher: { ...hasher, verify: full } });
    directory.restart();
    for (let n = 0; n < 8; n++) {
      const answer = await signIn(directory, "ann", PASS);
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    }
    Object.assign(directory.deps, { hasher });
    directory.restart();
    expect((await signIn(directory, "ann", PASS)).status).toBe(200);
  });

  test("a weaker hash is upgraded after the right password only, without an audit entry", async () => {
    const { id } = await directory.addUser("ann");
    const weak = await storedHash(directory, id);
    const stronger = { ...TEST_COST, passes: 2 };
    Object.assign(directory.deps, { hasher: await createHasher({ cost: stronger, parallel: 1, waiting: 10 }) });
    directory.restart();
    await signIn(directory, "ann", "wrong horse 123");
    expect(await storedHash(directory, id)).toBe(weak);
    await signIn(directory, "ann", PASS);
    const strong = await storedHash(directory, id);
    expect(strong).toContain("t=2");
    expect((await signIn(directory, "ann", PASS)).status).toBe(200);
    expect(await storedHash(directory, id)).toBe(strong);
    const changes = await directory.send("GET", `/api/audit?target=user/${id}`);
    expect(changes.json.map((entry: { action: string }) => entry.action)).toEqual(["signin.fail", "user.create"]);
  });

  test.each([
    ["14 characters", "correct horse ", 422],
    ["a common password", "123456789qwerty", 422],
    ["the login and digits", "annannannann1234", 422],
    ["the e-mail", "ann@example.test", 422],
    ["257 characters", "x".repeat(257), 422],
    ["256 characters of up to four bytes", LONGEST, 201],
    ["only spaces", " ".repeat(15), 422],
    ["a NUL", "correct\0horse battery", 201],
    ["64 characters", LONGEST.slice(0, 64), 201],
    ["emoji and words", "🐎 🔋 battery 📎 ✅", 201],
  ])("a password of %s", async (_name, pass, status) => {
    const made = await directory.send("POST", "/api/users", {
      json: { login: "ann", email: "ann@example.test", pass },
    });
    expect(made.status).toBe(status);
    if (status === 422) expect(made.json.errors[0].pointer).toBe("/pass");
    else {
      expect((await signIn(directory, "ann", pass)).status).toBe(200);
      expect((await signIn(directory, "ann", `${[...pass].slice(1).join("")}?`)).status).toBe(401);
    }
  });

  test("changing one's password requires the current one and revokes the other tokens", async () => {
    const { token } = await directory.addUser("ann");
    const other = (await signIn(directory, "ann", PASS)).json.token;
    const change = (json: object) => directory.send("PUT", "/api/me/pass", { token, json });
    expect((await change({ current: "wrong horse 123", pass: "another horse 22" })).status).toBe(403);
    expect((await change({ pass: "another horse 22" })).status).toBe(403);
    expect((await change({ current: PASS, pass: "short" })).status).toBe(422);
    expect((await directory.send("GET", "/api/me", { token: other })).status).toBe(200);
    expect((await change({ current: PASS, pass: "another horse 22" })).status).toBe(204);
    expect((await directory.send("GET", "/api/me", { token: other })).status).toBe(401);
    expect((await directory.send("GET", "/api/me", { token })).status).toBe(200);
    expect((await signIn(directory, "ann", PASS)).status).toBe(401);
    expect((await signIn(directory, "ann", "another horse 22")).status).toBe(200);
  });

  test("an administrator's reset revokes all of the user's tokens; the audit omits the hash", async () => {
    const { id, token } = await directory.addUser("ann");
    expect((await directory.send("PATCH", `/api/users/${id}`, { json: { pass: "another horse 22" } })).status).toBe(
      200,
    );
    expect((await directory.send("GET", "/api/me", { token })).status).toBe(401);
    const [entry] = (await directory.send("GET", `/api/audit?target=user/${id}&action=user.update`)).json;
    expect(entry).toMatchObject({ actor: 1, after: { passChanged: true } });
    expect(JSON.stringify(entry)).not.toContain("argon2");
  });

  test("tokens expire, are listed without their text, record their last use and can be revoked", async () => {
    const { token: session } = await directory.addUser("ann");
    directory.clock = new Date("2030-01-01T00:00:00Z");
    const json = { label: "ci", scopes: ["read"], expiresAt: "2030-01-01T01:00:00+00:00" };
    // The session of the real time has ended by this clock.
    expect((await directory.send("POST", "/api/tokens", { token: session, json })).status).toBe(401);
    const made = await directory.send("POST", "/api/tokens", { json });
    expect(made.json).toMatchObject({ label: "ci", expiresAt: "2030-01-01T01:00:00.000Z", lastUsedAt: null });
    expect((await directory.send("GET", "/api/me", { token: made.json.token })).status).toBe(200);
    const listed = await directory.send("GET", "/api/tokens");
    expect(listed.text).not.toContain("bth_");
    const { id } = made.json;
    const inList = listed.json.find((one: { id: number }) => one.id === id);
    expect(inList).toMatchObject({ lastUsedAt: "2030-01-01T00:00:00.000Z" });
    directory.clock = new Date("2030-01-01T00:59:59.999Z");
    expect((await directory.send("GET", "/api/me", { token: made.json.token })).status).toBe(200);
    directory.clock = new Date("2030-01-01T01:00:00Z");
    expect((await directory.send("GET", "/api/me", { token: made.json.token })).status).toBe(401);
    const lasting = await directory.send("POST", "/api/tokens", { json: { label: "x", scopes: ["read"] } });
    expect((await directory.send("DELETE", `/api/tokens/${lasting.json.id}`)).status).toBe(204);
    expect((await directory.send("GET", "/api/me", { token: lasting.json.token })).status).toBe(401);
  });
});
