import { BASELINES } from "@berth/directory-domain";
import type { PeerCertificate } from "@berth/service-kit";
import { createLog } from "@berth/service-kit";
import type { HttpBindings } from "@hono/node-server";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect } from "vitest";
import { createTestDatabase } from "../../../tools/postgres.testing.ts";
import type { Deps } from "./accounts/deps.ts";
import { type App, createApp } from "./app.ts";
import { createFirstAdministrator } from "./bootstrap/first-administrator.ts";
import { Announcements } from "./cache/announcements.ts";
import type { OpenDatabase } from "./db/database.ts";
import { FleetLedger } from "./db/fleet/ledger.ts";
import { openPostgres } from "./db/postgres.ts";
import { recordsIn } from "./db/records.ts";
import type { Placement } from "./fleet/fleet.ts";
import { NAMED } from "./fleet/placements/named.ts";
import { Signals } from "./fleet/signals.ts";
import { createCursors } from "./http/cursor.ts";
import { expectDocumented } from "./http/openapi-document.testing.ts";
import { createSealer } from "./http/sealed.ts";
import { logFault } from "./log-fault.ts";
import { createHasher } from "./passwords/hasher.ts";
import { REFERENCE_ASSETS } from "./reference-assets.ts";
import type { ConsoleFiles } from "./routes/console.ts";
import { createSecretBox } from "./sign-in/secret-box.ts";
import type { SingleSignOn } from "./sign-in/sso.ts";

/** As cheap as argon2 lets it be: what is tested is what is done with it. */
export const TEST_COST = { memory: 64, passes: 1, lanes: 1 };

export interface Sent {
  readonly token?: string | null;
  readonly json?: unknown;
  readonly body?: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly json: any;
}

/** A directory of one's own: empty but for the first administrator at the start of every test. */
export interface TestDirectory {
  app: App;
  deps: Deps & { readonly hosts: ReadonlySet<string> | undefined };
  announcements: Announcements;
  database: OpenDatabase;
  /** What the database says of the fleet. */
  signals: Signals;
  /** The first administrator's token. */
  admin: string;
  /** The certificate of the connection that requests come by. */
  certificate: PeerCertificate | undefined;
  /** The origin of a proxy before it. */
  publicOrigin: string | undefined;
  /** The web console's files. */
  console: ConsoleFiles | undefined;
  /** What finds hosts for places. */
  placement: Placement;
  /** Where people sign in beside a password. */
  sso: SingleSignOn | undefined;
  /** What `deps.now` answers with; undefined for the real time. */
  clock: Date | undefined;
  /** Causes of answers with 500. */
  readonly faults: unknown[];
  /** The lines that the service would have logged. */
  readonly logged: string[];
  /** Sends as the administrator unless told otherwise; `token: null` sends none. */
  send(method: string, path: string, sent?: Sent): Promise<Received>;
  /** Empties the directory: what is left is a first administrator, with another token. */
  renew(): Promise<void>;
  /** Creates a new app from `deps`, as a restart of the service does. */
  restart(): void;
  /** Makes a user and signs it in. */
  addUser(login: string, fields?: object): Promise<{ readonly id: number; readonly token: string }>;
  addGroup(name: string, members?: readonly number[]): Promise<number>;
}

type BodyInit = ConstructorParameters<typeof Response>[0];
export const PASS = "correct horse 1";

/** Runs one suite on a directory of its own. */
export function describeDirectory(name: string, suite: (directory: TestDirectory) => void): void {
  describe(name, () => {
    const directory = { faults: [], logged: [] } as Partial<TestDirectory> as TestDirectory;
    beforeAll(async () => {
      opening ??= open();
      ({ database: directory.database, signals: directory.signals } = await opening);
    });
    beforeEach(() => start(directory));
    suite(directory);
  });
}

// Opening a database costs more than most tests: one serves all suites of a file.
let opening: ReturnType<typeof open> | undefined;

afterAll(async () => (await opening)?.close());

async function open(): Promise<{ database: OpenDatabase; signals: Signals; close: () => Promise<void> }> {
  const { url, drop } = await createTestDatabase();
  const database = await openPostgres(url, { connections: 4 });
  const signals = new Signals();
  await database.listenToFleet(
    (signal) => signals.publish(signal),
    () => signals.missed(),
  );
  return {
    database,
    signals,
    async close() {
      await database.close();
      await drop();
    },
  };
}

async function start(directory: TestDirectory): Promise<void> {
  const { db } = directory.database;
  await db.transaction(async (tx) => {
    // Truncating fires the trigger that keeps the audit; this is the one place that may pass it.
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`truncate directory.users, directory.groups, directory.subgroups, directory.memberships, directory.constraints,
      directory.tokens, directory.invitations, directory.user_names, directory.audit, directory.idempotency_keys, directory.sign_in_failures, directory.hosts,
      directory.fleet_hosts, directory.fleet_accounts, directory.fleet_places, directory.fleet_ports,
      directory.identities, directory.identity_groups, directory.device_logins, directory.second_factors,
      directory.recovery_codes restart identity`);
  });
  const records = recordsIn(db);
  directory.clock = undefined;
  directory.certificate = undefined;
  directory.publicOrigin = undefined;
  directory.console = undefined;
  directory.sso = undefined;
  directory.placement = NAMED;
  directory.faults.length = 0;
  directory.logged.length = 0;
  const destination = { write: (line: string) => void directory.logged.push(line) };
  const log = createLog("directory", { level: "debug", destination });
  directory.deps = {
    records,
    hosts: new Set(["directory.test"]),
    hasher: await createHasher({ cost: TEST_COST, parallel: 2, waiting: 100 }),
    baseline: BASELINES.safe,
    minPassLength: 15,
    requireIfMatch: false,
    secondFactorRule: "optional",
    secrets: createSecretBox(["a key of the test"]),
    now: () => directory.clock ?? new Date(),
  };
  directory.admin = (await createFirstAdministrator({ records }, async () => {})) ?? "";
  directory.announcements = new Announcements();
  const cursors = createCursors(await records.setting("cursor-key"));
  directory.restart = () => {
    directory.app = createApp({
      ...directory.deps,
      cursors,
      announcements: directory.announcements,
      reference: REFERENCE_ASSETS,
      console: directory.console,
      fleet: { ledger: new FleetLedger(db), signals: directory.signals, placement: directory.placement },
      sso: directory.sso,
      sealer: createSealer("key", "test", directory.deps.now),
      publicOrigin: directory.publicOrigin,
      isLive: () => false,
      addressOf: (c) => c.req.header("x-test-address") ?? "127.0.0.1",
      certificateOf: () => directory.certificate,
      cutOff: (c) => void (c.env as Partial<HttpBindings> | undefined)?.outgoing?.destroy(),
      onFault(fault, request) {
        directory.faults.push(fault);
        logFault(log, fault, request);
      },
    });
  };
  directory.restart();
  directory.renew = () => start(directory);
  directory.send = (method, path, sent = {}) => send(directory, method, path, sent);
  directory.addUser = (login, fields = {}) => addUser(directory, login, fields);
  directory.addGroup = (name, members = []) => addGroup(directory, name, members);
}

async function send(directory: TestDirectory, method: string, path: string, sent: Sent): Promise<Received> {
  const headers = new Headers();
  const token = sent.token === undefined ? directory.admin : sent.token;
  if (token !== null) headers.set("authorization", `Bearer ${token}`);
  if (sent.json !== undefined) headers.set("content-type", "application/json");
  for (const [name, value] of Object.entries(sent.headers ?? {})) headers.set(name, value);
  const body = sent.body ?? (sent.json === undefined ? null : JSON.stringify(sent.json));
  const response = await directory.app.fetch(
    new Request(new URL(path, "http://directory.test"), { method, headers, body: body as string | null }),
  );
  const isEndless = response.headers.get("content-type") === "text/event-stream";
  if (isEndless) await response.body?.cancel();
  const text = isEndless ? "" : await response.text();
  await expectDocumented(directory.app, { method, path, status: response.status, headers: response.headers, text });
  const isJson = /[/+]json/.test(response.headers.get("content-type") ?? "");
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && text !== "" ? JSON.parse(text) : undefined,
  };
}

async function addUser(directory: TestDirectory, login: string, fields: object) {
  const made = await directory.send("POST", "/api/users", {
    json: { login, email: `${login}@example.test`, pass: PASS, ...fields },
  });
  expect(made.text).toMatch(/"id"/);
  const session = await directory.send("POST", "/api/login", { token: null, json: { login, pass: PASS } });
  return { id: made.json.id as number, token: (session.json.token ?? "") as string };
}

async function addGroup(directory: TestDirectory, name: string, members: readonly number[]): Promise<number> {
  const made = await directory.send("POST", "/api/groups", { json: { name } });
  for (const id of members) await directory.send("PUT", `/api/groups/${made.json.id}/members/${id}`);
  return made.json.id as number;
}
