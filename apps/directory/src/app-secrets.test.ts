import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { TOKEN_SCOPES } from "./accounts/records.ts";
import { issueToken } from "./accounts/tokens.ts";
import { describeDirectory, type Sent, type TestDirectory } from "./directory.testing.ts";
import type { Endpoint } from "./http/endpoint.ts";
import { CSV_TYPE, NDJSON_TYPE } from "./http/user-lines.ts";

/*
 * Every endpoint is sent passwords and tokens: where they belong, where they do not, in requests that are right, refused and
 * answered with 500. None may turn up in an answer, the log, the audit or any row.
 */
const JSON_TYPE = "application/json";
const IDS = { user: 0, group: 0 };

/** Makes distinct secrets and keeps what must be found nowhere, in all forms that it may take. */
function secretKeeper() {
  const secrets: string[] = [];
  const digests: string[] = [];
  return {
    secrets,
    /** What the database alone may hold. */
    digests,
    pass(): string {
      const pass = `Zebra-${secrets.length}-crossing-quietly`;
      secrets.push(pass, Buffer.from(pass).toString("base64").replaceAll("=", ""));
      return pass;
    },
    token(text: string): string {
      const sha256 = createHash("sha256").update(text).digest();
      secrets.push(text);
      digests.push(sha256.toString("hex"), sha256.toString("base64"), JSON.stringify([...sha256]), [...sha256].join());
      return text;
    },
  };
}
type SecretKeeper = ReturnType<typeof secretKeeper>;

/** A token of a new administrator: requests sign out, and remove who makes them. */
async function newToken(directory: TestDirectory, keeper: SecretKeeper): Promise<string> {
  return directory.deps.records.change(null, async (stores) => {
    const login = `root${keeper.secrets.length}`;
    const fields = { login, email: `${login}@example.test`, name: null, role: "admin", active: true } as const;
    const user = await stores.users.create({ ...fields, externalId: null, passHash: null });
    const { token } = await issueToken(stores, { userId: user.id, label: "x", scopes: TOKEN_SCOPES, expiresAt: null });
    return keeper.token(token);
  });
}

/** The requests in which a secret belongs, with what makes each right. */
function rightRequests({ pass }: SecretKeeper, known: string, n: number): readonly (readonly [string, Sent])[] {
  const person = { login: `new${n}`, email: `new${n}@example.test` };
  const scim = (more: object) => ({ userName: `scim${n}`, emails: [{ value: `scim${n}@example.test` }], ...more });
  const anonymous = (json: object) => ({ token: null, json });
  const changed = pass();
  return [
    ["POST /api/users", { json: { ...person, pass: pass() }, headers: { "idempotency-key": `k${n}` } }],
    [`PATCH /api/users/${IDS.user}`, { json: { pass: pass() } }],
    [`PUT /api/users/${IDS.user}`, { json: { login: "ann", email: "ann@example.test", pass: known } }],
    ["POST /api/login", anonymous({ login: "ann", pass: known })],
    ["POST /api/login", anonymous({ email: "ann@example.test", pass: known, cookie: true })],
    ["POST /api/login", anonymous({ login: "ann", pass: pass() })],
    ["POST /api/login", anonymous({ login: pass(), pass: pass() })],
    ["POST /api/login", anonymous({ login: "ann", pass: known, code: pass() })],
    ["POST /api/me/second-factor", { json: { pass: pass() } }],
    ["PUT /api/me/second-factor", { json: { code: pass() } }],
    ["PUT /api/me/pass", { json: { current: pass(), pass: changed } }],
    ["PUT /api/me/pass", { json: { current: changed, pass: pass() } }],
    ["POST /api/tokens", { json: { label: "x", scopes: ["read"] } }],
    ["POST /scim/v2/Users", { json: scim({ password: pass() }) }],
    [`PUT /scim/v2/Users/${IDS.user}`, { json: scim({ password: pass() }) }],
    [
      `PATCH /scim/v2/Users/${IDS.user}`,
      {
        json: {
          schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
          Operations: [
            { op: "replace", path: "password", value: pass() },
            { op: "replace", value: { password: pass() } },
          ],
        },
      },
    ],
  ];
}

/** Requests to an endpoint with secrets where none belong. */
function wrongRequests(endpoint: Endpoint, { pass, token }: SecretKeeper): readonly (readonly [string, Sent])[] {
  const path = endpoint.path.replace("{id}", String(/user/i.test(endpoint.path) ? IDS.user : IDS.group));
  const name = `${endpoint.method.toUpperCase()} ${path.replace("{userId}", String(IDS.user))}`;
  const type = endpoint.accepts?.[0] ?? JSON_TYPE;
  const body = (text: string, contentType = type) => ({ body: text, headers: { "content-type": contentType } });
  const fields = [
    "pass",
    "password",
    "current",
    "code",
    "token",
    "login",
    "userName",
    "name",
    "role",
    "kind",
    "scopes",
    "label",
  ];
  const everywhere = (value: () => unknown) => JSON.stringify(Object.fromEntries(fields.map((one) => [one, value()])));
  const bodies = [
    body(everywhere(() => [pass()])),
    body(everywhere(() => ({ pass: pass() }))),
    body(JSON.stringify({ pass: "short", password: pass(), role: pass(), kind: pass() })),
    body(`{"pass":"${pass()}","pass":"${pass()}"}`),
    body(`{"pass":"${pass()}`),
    body(`pass=${pass()}`, "application/x-www-form-urlencoded"),
    body(`{"login":"x","email":"x@y","pass":"${pass()}"}\n`, NDJSON_TYPE),
    body(`login,email,pass\nx,x@y,${pass()}\n`, CSV_TYPE),
    body(`login,email,role\nx,x@y,"${pass()}\n`, CSV_TYPE),
  ];
  const query = new URLSearchParams({ pass: pass(), token: pass(), cursor: pass(), sort: pass(), role: pass() });
  const basic = Buffer.from(`ann:${pass()}`).toString("base64");
  return [
    [name, {}],
    [name, { token: token("bth_x") && pass() }],
    [name, { token: null, headers: { authorization: `Basic ${basic}` } }],
    [name, { token: null, headers: { cookie: `berth_session=${pass()}` } }],
    [name, { headers: { "if-match": `"${pass()}"`, "if-none-match": pass() } }],
    [`${name}?${query}`, {}],
    ...((endpoint.body ?? endpoint.uploads) === undefined ? [] : bodies.map((sent) => [name, sent] as const)),
  ];
}

/** A request that comes far enough to meet the database. */
function brokenRequests(endpoint: Endpoint): readonly (readonly [string, Sent])[] {
  const path = endpoint.path.replaceAll(/\{\w+\}/g, "1");
  const isRead = endpoint.method === "get" || endpoint.method === "delete";
  const json = { login: "x", email: "x@y", name: "x", label: "x", scopes: ["read"], kind: "images", patterns: ["*"] };
  return [[`${endpoint.method.toUpperCase()} ${path}`, isRead ? {} : { json }]];
}

describeDirectory("secrets", (directory) => {
  const run = (statement: string) => directory.database.db.execute(statement);

  /** All rows of all tables as text. */
  async function dump(): Promise<string> {
    const tables = await run(
      "select table_name as name from information_schema.tables where table_schema = 'directory'",
    );
    expect(tables.length).toBeGreaterThan(8);
    const texts = [];
    for (const { name } of tables) texts.push(...(await run(`select t::text as row from directory."${name}" t`)));
    return texts.map(({ row }) => row).join("\n");
  }

  test("sent to any endpoint appear in no answer, log line, audit entry or row", async () => {
    const keeper = secretKeeper();
    keeper.token(directory.admin);
    const known = keeper.pass();
    IDS.user = (await directory.addUser("ann", { pass: known })).id;
    IDS.group = await directory.addGroup("ops", [IDS.user]);
    // Whoever is known stays known, so that what fails is the handler and not the look-up of the actor.
    directory.clock = new Date();
    const answers: string[] = [];
    const statuses = new Set<number>();

    let admin = await newToken(directory, keeper);
    const ask = async ([name, sent]: readonly [string, Sent], isBroken: boolean) => {
      const [method = "", path = ""] = name.split(" ");
      // The one before may have signed out, or removed whoever asked.
      if ((await directory.send("GET", "/api/me", { token: admin })).status !== 200)
        admin = await newToken(directory, keeper);
      await directory.send("GET", "/api/me", { token: admin });
      const token = sent.token === undefined ? admin : sent.token;
      if (isBroken) await run("alter schema directory rename to away");
      const { status, headers, text, json } = await directory.send(method, path, { ...sent, token });
      if (isBroken) await run("alter schema away rename to directory");
      statuses.add(status);
      // The one answer that shows a token, and the one that hands it to a browser.
      const issued = json?.token ?? /berth_session=(bth_[^;]+)/.exec(headers.get("set-cookie") ?? "")?.[1];
      const shown = [...headers].map((header) => header.join(": ")).join("\n") + text;
      answers.push(
        `${method} ${path.split("?")[0]}: ${issued === undefined ? shown : shown.replaceAll(keeper.token(issued), "")}`,
      );
    };

    for (const isBroken of [false, true]) {
      for (const request of rightRequests(keeper, known, Number(isBroken))) await ask(request, isBroken);
      for (const endpoint of directory.app.endpoints)
        for (const request of isBroken ? brokenRequests(endpoint) : wrongRequests(endpoint, keeper))
          await ask(request, isBroken);
    }
    for (const status of [200, 201, 204, 400, 401, 403, 415, 422, 500]) expect(statuses).toContain(status);

    const audit = (await directory.send("GET", "/api/audit", { token: await newToken(directory, keeper) })).text;
    const rows = await dump();
    // Most endpoints do not answer from memory alone.
    expect(directory.logged.length).toBeGreaterThan(30);
    const found = (secrets: readonly string[], texts: Readonly<Record<string, readonly string[]>>) =>
      Object.entries(texts).flatMap(([place, parts]) =>
        parts.flatMap((part) =>
          secrets.filter((one) => part.includes(one)).map((one) => `${one} in ${place}: ${part.slice(0, 300)}`),
        ),
      );
    expect(found(keeper.secrets, { answers, audit: [audit], log: directory.logged, rows: rows.split("\n") })).toEqual(
      [],
    );
    expect(found(["argon2", ...keeper.digests], { answers, audit: [audit], log: directory.logged })).toEqual([]);
    // It would find them: the database does hold hashes of both.
    expect(rows).toContain("$argon2id$");
    expect(found(keeper.digests, { rows: [rows] })).not.toEqual([]);
  }, 120_000);
});
