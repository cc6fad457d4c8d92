import { expect, test } from "vitest";
import { describeDirectory, PASS, type TestDirectory } from "../directory.testing.ts";
import { codeOf } from "../sign-in/authenticator.testing.ts";
import { createSecretBox } from "../sign-in/secret-box.ts";

const NOW = new Date("2030-01-01T00:00:10Z");
const OWN = "/api/me/second-factor";

function signIn(directory: TestDirectory, login: string, code?: string, pass = PASS) {
  return directory.send("POST", "/api/login", {
    token: null,
    json: { login, pass, ...(code === undefined ? {} : { code }) },
  });
}

/** Sets a second factor up, as the user that has the token does it. */
async function enrol(directory: TestDirectory, token: string) {
  const begun = await directory.send("POST", OWN, { token, json: { pass: PASS } });
  expect([begun.status, begun.headers.get("cache-control")]).toEqual([201, "no-store"]);
  const { secret, uri } = begun.json as { secret: string; uri: string };
  const code = codeOf(secret, directory.clock ?? new Date());
  const confirmed = await directory.send("PUT", OWN, { token, json: { code } });
  expect(confirmed.status).toBe(200);
  return { secret, uri, code, codes: confirmed.json.recoveryCodes as string[] };
}

/** Lets time pass, so that the next code is another one. */
function pass(directory: TestDirectory, seconds: number): Date {
  directory.clock = new Date((directory.clock ?? NOW).getTime() + seconds * 1_000);
  return directory.clock;
}

async function auditOf({ send }: TestDirectory, id: number) {
  const entries = (await send("GET", `/api/audit?target=user/${id}`)).json as { action: string; after: object }[];
  return entries.filter(({ action }) => /^(signin|second-factor)\./.test(action));
}

describeDirectory("a second factor", (directory) => {
  /** A user with a second factor, at a clock that stands still. */
  async function withFactor(login = "ann") {
    directory.clock ??= NOW;
    const { id, token } = await directory.addUser(login);
    return { id, token, ...(await enrol(directory, token)) };
  }

  test("is set up with a code, and signs in with the next ones beside the password", async () => {
    const { id, token, secret, uri, codes } = await withFactor();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toContain(`otpauth://totp/Berth%20directory.test:ann?secret=${secret}&issuer=Berth%20directory.test`);
    expect(codes).toHaveLength(10);
    const state = await directory.send("GET", `/api/users/${id}/second-factor`, { token });
    expect(state.json).toEqual({ state: "active", required: false, since: NOW.toISOString(), recoveryCodesLeft: 10 });

    const without = await signIn(directory, "ann");
    expect([without.status, without.json.code, without.json.token]).toEqual([401, "second-factor-required", undefined]);
    const at = pass(directory, 30);
    expect((await signIn(directory, "ann", codeOf(secret, at), "wrong horse 123")).json.code).toBe("unauthenticated");
    const wrong = await signIn(directory, "ann", codeOf(secret, at, 5));
    expect([wrong.status, wrong.json.code, wrong.json.errors[0].pointer]).toEqual([401, "unauthenticated", "/code"]);
    const session = await signIn(directory, "ann@example.test", ` ${codeOf(secret, at).replace(/^.../, "$& ")} `);
    expect(session.status).toBe(200);
    const me = await directory.send("GET", "/api/me", { token: session.json.token });
    expect(me.json.scopes).toEqual(["read", "write", "engine"]);
    expect(directory.faults).toEqual([]);
  });

  test("takes each code once, and none that is older than the last one", async () => {
    const { secret, code } = await withFactor();
    // The code that confirmed it is used up.
    expect((await signIn(directory, "ann", code)).status).toBe(401);
    const at = pass(directory, 90);
    const now = codeOf(secret, at);
    expect((await signIn(directory, "ann", now)).status).toBe(200);
    expect((await signIn(directory, "ann", now)).status).toBe(401);
    expect((await signIn(directory, "ann", codeOf(secret, at, -1))).status).toBe(401);
    expect((await signIn(directory, "ann", codeOf(secret, at, 1))).status).toBe(200);
    expect((await signIn(directory, "ann", codeOf(secret, at, 2))).status).toBe(401);
  });

  test("takes a code and a recovery code from one of many requests at once", async () => {
    const { secret, codes } = await withFactor();
    for (const code of [codeOf(secret, pass(directory, 30)), codes[0] ?? ""]) {
      const answers = await Promise.all(Array.from({ length: 4 }, () => signIn(directory, "ann", code)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
      pass(directory, 3_600);
    }
    expect(directory.faults).toEqual([]);
  });

  test("has recovery codes, each for once, and new ones end the old ones", async () => {
    const { id, token, codes } = await withFactor();
    const [first = "", second = "", third = ""] = codes;
    const session = await signIn(directory, "ann", first.toLowerCase().replaceAll("-", " "));
    expect(session.status).toBe(200);
    expect((await signIn(directory, "ann", first)).status).toBe(401);
    const state = await directory.send("GET", `/api/users/${id}/second-factor`);
    expect(state.json.recoveryCodesLeft).toBe(9);
    const renewed = await directory.send("POST", `${OWN}/recovery-codes`, { token, json: { code: second } });
    expect(renewed.status).toBe(200);
    expect((await signIn(directory, "ann", third)).status).toBe(401);
    expect((await signIn(directory, "ann", renewed.json.recoveryCodes[9])).status).toBe(200);
    expect((await auditOf(directory, id)).map(({ action }) => action).sort()).toEqual([
      "second-factor.enable",
      ...Array(3).fill("second-factor.recover"),
      "second-factor.renew-codes",
      ...Array(2).fill("signin.fail"),
    ]);
  });

  test("waits after wrong codes as after wrong passwords, and the password alone does not end the wait", async () => {
    const { id, token, secret } = await withFactor();
    pass(directory, 60);
    const wrong = codeOf(secret, NOW, 50);
    for (let n = 0; n < 5; n++) {
      expect((await signIn(directory, "ann", wrong)).status).toBe(401);
      // Were this to reset the count, codes could be tried without end.
      if (n < 4) expect((await signIn(directory, "ann")).json.code).toBe("second-factor-required");
      expect((await directory.send("POST", OWN, { token, json: { pass: PASS } })).status).toBe(409);
    }
    const at = directory.clock ?? NOW;
    for (const code of [undefined, wrong, codeOf(secret, at)])
      expect((await signIn(directory, "ann", code)).status).toBe(429);
    expect((await signIn(directory, "ann", codeOf(secret, pass(directory, 30)))).status).toBe(200);
    const [, lock] = await auditOf(directory, id);
    expect((await auditOf(directory, id))[0]).toMatchObject({
      action: "signin.lock",
      after: { proof: "code", failures: 5 },
    });
    expect(lock).toMatchObject({ action: "signin.fail" });
  });

  test("is removed with a code, or by an administrator, and then the password is enough", async () => {
    const { id, token, secret } = await withFactor();
    const wrong = await directory.send("POST", `${OWN}/disable`, { token, json: { code: "000000" } });
    expect([wrong.status, wrong.json.errors[0].pointer]).toEqual([403, "/code"]);
    const again = await directory.send("POST", OWN, { token, json: { pass: PASS } });
    expect([again.status, again.json.code]).toEqual([409, "conflict"]);
    const json = { code: codeOf(secret, pass(directory, 30)) };
    expect((await directory.send("POST", `${OWN}/disable`, { token, json })).status).toBe(204);
    expect((await signIn(directory, "ann")).status).toBe(200);
    expect((await directory.send("POST", `${OWN}/disable`, { token, json })).status).toBe(409);

    const next = await enrol(directory, token);
    expect((await signIn(directory, "ann")).status).toBe(401);
    expect((await directory.send("DELETE", `/api/users/${id}/second-factor`, { token })).status).toBe(403);
    expect((await directory.send("DELETE", `/api/users/${id}/second-factor`)).status).toBe(204);
    expect((await directory.send("DELETE", `/api/users/${id}/second-factor`)).status).toBe(204);
    expect((await directory.send("DELETE", "/api/users/999/second-factor")).status).toBe(404);
    // A code from one who has not heard of it yet is no fault.
    expect((await signIn(directory, "ann", next.codes[0])).status).toBe(200);
    const actions = (await auditOf(directory, id)).map(({ action }) => action);
    expect(actions.filter((action) => action === "second-factor.reset")).toHaveLength(1);
    expect(actions).toContain("second-factor.disable");
  });

  test("needs the password to begin, and a code within 15 minutes", async () => {
    directory.clock = NOW;
    const { token } = await directory.addUser("ann");
    expect((await directory.send("PUT", OWN, { token, json: { code: "123456" } })).status).toBe(409);
    for (const [json, status] of [
      [{ pass: "wrong horse 123" }, 403],
      [{ pass: "x".repeat(5_000) }, 403],
      [{}, 422],
      [{ pass: PASS, secret: "MZXW6" }, 422],
    ] as const)
      expect((await directory.send("POST", OWN, { token, json })).status).toBe(status);
    const begun = await directory.send("POST", OWN, { token, json: { pass: PASS } });
    expect((await signIn(directory, "ann")).status).toBe(200);
    const late = codeOf(begun.json.secret, pass(directory, 901));
    expect((await directory.send("PUT", OWN, { token, json: { code: late } })).status).toBe(409);
    const second = await directory.send("POST", OWN, { token, json: { pass: PASS } });
    // The first secret was replaced.
    for (const [secret, status] of [
      [begun.json.secret, 403],
      [second.json.secret, 200],
    ])
      expect(
        (await directory.send("PUT", OWN, { token, json: { code: codeOf(secret, directory.clock) } })).status,
      ).toBe(status);
  });

  test.each([
    ["a recovery code's form", "01AB-01AB-01AB-01AB", 401],
    ["nothing", "", 401],
    ["other digits", "١٢٣٤٥٦", 401],
    ["five digits", "12345", 401],
    ["a NUL", "12345\0", 401],
    ["41 characters", "1".repeat(41), 422],
    ["a number", 123456, 422],
    ["null", null, 422],
    ["a list", ["123456"], 422],
  ])("refuses %s as a code", async (_name, code, status) => {
    await withFactor();
    expect((await signIn(directory, "ann", code as string)).status).toBe(status);
    expect(directory.faults).toEqual([]);
  });

  test("is not for those who have no password", async () => {
    const made = await directory.send("POST", "/api/users", { json: { login: "ci", email: null, kind: "service" } });
    const issued = await directory.send("POST", "/api/tokens", {
      json: { label: "x", scopes: ["read", "write"], userId: made.json.id },
    });
    const begun = await directory.send("POST", OWN, { token: issued.json.token, json: { pass: PASS } });
    expect(begun.status).toBe(409);
  });

  test("stays through a link to set a password, SCIM, import and export, which tell nothing of it", async () => {
    const { id, secret, codes } = await withFactor();
    const told: string[] = [];
    const ask = async (method: string, path: string, json?: object) => {
      const answer = await directory.send(method, path, json === undefined ? {} : { json });
      told.push(answer.text);
      return answer;
    };
    const link = await ask("POST", `/api/users/${id}/pass-links`);
    const [, token = ""] = /#(.*)$/.exec(link.json.path) ?? [];
    expect((await directory.send("PUT", "/api/pass", { token, json: { pass: "another horse 22" } })).status).toBe(204);
    const scim = { userName: "ann", emails: [{ value: "ann@example.test" }], active: true };
    expect((await ask("PUT", `/scim/v2/Users/${id}`, scim)).status).toBe(200);
    expect((await signIn(directory, "ann", undefined, "another horse 22")).json.code).toBe("second-factor-required");
    for (const path of ["/api/export?passwords=true", `/api/users/${id}`, `/scim/v2/Users/${id}`, "/api/audit"])
      await ask("GET", path);
    const rows = await directory.database.db.execute(
      "select (select string_agg(f::text, '') from directory.second_factors f) || (select string_agg(r::text, '') from directory.recovery_codes r) as text",
    );
    const sealed = (await directory.deps.records.secondFactors.find(id))?.secret ?? "?";
    expect(String(rows[0]?.text)).toContain(sealed);
    const everywhere = [...told, ...directory.logged].join("\n");
    for (const hidden of [secret, sealed, ...codes]) expect(everywhere).not.toContain(hidden);
    for (const hidden of [secret, ...codes]) expect(String(rows[0]?.text)).not.toContain(hidden);
  });

  test("ends with its user", async () => {
    const { id } = await withFactor();
    expect((await directory.send("DELETE", `/api/users/${id}`)).status).toBe(204);
    expect(await directory.deps.records.secondFactors.find(id)).toBeUndefined();
    expect(await directory.deps.records.secondFactors.codesLeft(id)).toBe(0);
  });

  test("whose key is gone refuses its codes with 500, and takes recovery codes", async () => {
    const { secret, codes } = await withFactor();
    Object.assign(directory.deps, { secrets: createSecretBox(["another key"]) });
    directory.restart();
    expect((await signIn(directory, "ann", codeOf(secret, pass(directory, 30)))).status).toBe(500);
    expect(directory.logged.join("")).toContain("BERTH_SECOND_FACTOR_KEY_FILE");
    expect((await signIn(directory, "ann", codes[0])).status).toBe(200);
  });
});

describeDirectory("a second factor that is required", (directory) => {
  function demand(rule: "administrators" | "everyone") {
    Object.assign(directory.deps, { secondFactorRule: rule });
    directory.restart();
  }

  test("lets a password open nothing but setting it up, until then", async () => {
    directory.clock = NOW;
    const { id } = await directory.addUser("ann");
    demand("everyone");
    const { token } = (await signIn(directory, "ann")).json;
    expect((await directory.send("GET", "/api/me", { token })).json.scopes).toEqual(["second-factor"]);
    const state = await directory.send("GET", `/api/users/${id}/second-factor`, { token });
    expect(state.json).toMatchObject({ state: "none", required: true });
    for (const endpoint of directory.app.endpoints.filter(({ access }) => access !== "anyone")) {
      const path = endpoint.path.replaceAll(/\{\w+\}/g, String(id));
      const { scopes = [] } = endpoint;
      if (scopes.includes("second-factor")) continue;
      const answer = await directory.send(endpoint.method.toUpperCase(), path, { token });
      expect([endpoint.path, answer.status, answer.text]).toEqual([
        endpoint.path,
        403,
        expect.stringContaining("Set up a second factor first"),
      ]);
    }
    await enrol(directory, token);
    // The same session goes on.
    expect((await directory.send("GET", "/api/me", { token })).json.scopes).toEqual(["read", "write", "engine"]);
    expect((await directory.send("GET", `/api/users/${id}/constraints`, { token })).status).toBe(200);
  });

  test.each([
    ["administrators", "user", false],
    ["administrators", "operator", true],
    ["administrators", "admin", true],
    ["everyone", "user", true],
  ] as const)("of %s concerns a %s: %s", async (rule, role, isRequired) => {
    const { id } = await directory.addUser("ann", { role });
    demand(rule);
    const { token } = (await signIn(directory, "ann")).json;
    expect((await directory.send("GET", `/api/users/${id}/effective-constraints`, { token })).status).toBe(
      isRequired ? 403 : 200,
    );
    // Programs have no password.
    const service = await directory.send("POST", "/api/users", { json: { login: "ci", email: null, kind: "service" } });
    const state = await directory.send("GET", `/api/users/${service.json.id}/second-factor`);
    expect(state.json.required).toBe(false);
  });
});
