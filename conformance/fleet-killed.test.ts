import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CLEAN_FLEET, FLEET_AUDIT } from "../apps/directory/src/db/fleet/audit.testing.ts";
import { SimulatedHost } from "../apps/directory/src/fleet/fleet.testing.ts";
import { createClient } from "../packages/service-kit/src/database.ts";
import { ask } from "../scripts/ask.mjs";
import { createTestDatabase, type TestDatabase } from "../tools/postgres.testing.ts";
import { freePort } from "./berth.testing.ts";
import { type Service, startService } from "./service.testing.ts";
import { seeded } from "./tenants/random.testing.ts";

// A real directory that is killed at some message to its database, while users take, extend and give places back and two hosts report.

const ROUNDS = Number(process.env.FLEET_KILLS ?? 5);
const SEED = Number(process.env.FLEET_SEED ?? 17);
/** A take with its report is some thirty messages. */
const MOST_MESSAGES = 90;
const HOSTS = ["h1", "h2"];
const PASS = "a long password nobody guesses";
const GIB = 2 ** 30;

/** A way to the database that does something once so many messages have come from the directory, before the last of them goes on. */
async function openFuse(target: string) {
  const { hostname, username, pathname } = new URL(target);
  const socket = join(decodeURIComponent(hostname), ".s.PGSQL.5432");
  let [left, act] = [Number.POSITIVE_INFINITY, (): "pass" | "drop" => "pass"];
  const server = createServer((client) => {
    const upstream = connect(socket);
    for (const one of [client, upstream]) one.on("error", () => undefined);
    client.on("data", (message) => {
      left -= 1;
      if (left === 0 && act() === "drop") upstream.destroy();
      else if (!upstream.destroyed) upstream.write(message);
    });
    upstream.pipe(client);
    client.on("close", () => upstream.destroy());
  }).listen(0, "127.0.0.1");
  await new Promise((settle) => server.once("listening", settle));
  return {
    url: `postgres://${username}@127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    light(messages: number, then: () => "pass" | "drop") {
      [left, act] = [messages, then];
    },
    close: () => void server.close(),
  };
}

const folder = mkdtempSync(join(tmpdir(), "berth-killed-"));
let database: TestDatabase;
let fuse: Awaited<ReturnType<typeof openFuse>>;
let records: ReturnType<typeof createClient>;
let directory: Service;
let url = "";
let admin = "";

async function call(method: string, path: string, json?: unknown, token = admin) {
  const answer = await ask(`${url}${path}`, { method, json, headers: { authorization: `Bearer ${token}` } });
  return { status: answer.status, json: answer.json };
}

beforeAll(async () => {
  database = await createTestDatabase();
  fuse = await openFuse(database.url);
  records = createClient(database.url);
  const listen = `127.0.0.1:${await freePort()}`;
  url = `http://${listen}`;
  const settings = {
    ...{ BERTH_CONF: "/dev/null", BERTH_STATE: folder, BERTH_RUN: join(folder, "run"), BERTH_LOG_LEVEL: "error" },
    ...{ BERTH_DIRECTORY_LISTEN: listen, BERTH_DIRECTORY_DATABASE_URL: fuse.url },
  };
  const isReady = async () => (await fetch(`${url}/readyz`)).ok;
  const where = { folder, logs: folder, enter: [] };
  directory = await startService("directory", { ...process.env, ...settings }, where, isReady);
  admin = readFileSync(join(folder, "admin-token"), "utf8").trim();
});

afterAll(async () => {
  await directory?.end("SIGTERM");
  await records?.end();
  fuse?.close();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

interface Place {
  readonly id: number;
  readonly name: string;
  readonly state: string;
}

/** A host that goes on reporting, whatever becomes of the directory; and the end of that. */
function following(host: SimulatedHost): { stop(): Promise<void> } {
  let isOver = false;
  const running = (async () => {
    while (!isOver) await host.turn(0.2).catch(() => pause(20));
  })();
  return {
    async stop() {
      isOver = true;
      await running;
    },
  };
}

test(`${ROUNDS} kills, seed ${SEED}: no place, port or quota is lost, and what was answered holds`, {
  timeout: 60_000 + ROUNDS * 15_000,
}, async () => {
  const random = seeded(SEED);
  const send = (method: string, path: string, { json, token }: { json?: unknown; token?: string | null } = {}) =>
    call(method, path, json, token ?? admin);
  const hosts: SimulatedHost[] = [];
  for (const name of HOSTS) {
    const user = await call("POST", "/api/users", {
      login: name,
      email: `${name}@example.test`,
      pass: PASS,
      role: "operator",
    });
    const made = await call("POST", "/api/tokens", { label: name, scopes: ["report"], userId: user.json.id });
    hosts.push(new SimulatedHost({ send }, name, made.json.token));
  }
  const users = [];
  for (const login of ["ann", "bob", "eve"]) {
    const { id } = (await call("POST", "/api/users", { login, email: `${login}@example.test`, pass: PASS })).json;
    const grant = { kind: "host-ports", effect: "grant", ports: [{ start: 8000, end: 8020 }] };
    await call("POST", `/api/users/${id}/constraints`, grant);
    users.push((await call("POST", "/api/login", { login, pass: PASS })).json.token as string);
  }

  for (let round = 0; round < ROUNDS; round++) {
    const follows = hosts.map(following);
    /** What its user was told: that it has the place, or that it is gone. */
    const told = new Map<number, "there" | "gone">();
    let killed: Promise<void> | undefined;
    const outcome = random.isLikely(0.5) ? "drop" : "pass";
    fuse.light(1 + random.below(MOST_MESSAGES), () => {
      killed = directory.end("SIGKILL");
      return outcome;
    });
    const work = async (token: string, at: number) => {
      while (killed === undefined) {
        const port = `${8000 + random.below(6)}`;
        const wish = {
          name: `p${round}-${at}-${random.below(1e9)}`,
          host: random.pick(HOSTS),
          memory: GIB,
          cpus: 0.5,
          ports: [port],
          seconds: 600,
        };
        const { status, json } = await call("POST", "/api/fleet/places", wish, token);
        if (status !== 201) continue;
        told.set(json.id, "there");
        await call("POST", `/api/fleet/places/${json.id}/extend`, { seconds: 900 }, token);
        if (random.isLikely(0.3)) continue;
        told.delete(json.id);
        if ((await call("DELETE", `/api/fleet/places/${json.id}`, undefined, token)).status === 204)
          told.set(json.id, "gone");
      }
    };
    await Promise.all(users.map((token, at) => work(token, at).catch(() => undefined)));
    await killed;
    await directory.start();
    await Promise.all(follows.map((one) => one.stop()));
    for (const host of hosts) await host.settle();

    const places = (await call("GET", "/api/fleet/places")).json as readonly Place[];
    const where = `round ${round}`;
    const [faults] = await records.unsafe(FLEET_AUDIT);
    expect({ ...faults }, where).toEqual(CLEAN_FLEET);
    const held = hosts.flatMap(({ has }) => [...has.keys()]);
    expect(places.map(({ id }) => id).sort(), where).toEqual(held.sort());
    expect(new Set(places.map(({ state }) => state)).size, where).toBeLessThanOrEqual(1);
    for (const [id, said] of told) expect(held.includes(id), `${where}, place ${id} is ${said}`).toBe(said === "there");

    // Some are given back, so that the next round has room and old places alike.
    const given = places.filter((_, at) => round === ROUNDS - 1 || at % 2 === 0);
    const again = hosts.map(following);
    const ends = await Promise.all(given.map(({ id }) => call("DELETE", `/api/fleet/places/${id}`)));
    await Promise.all(again.map((one) => one.stop()));
    expect(
      ends.every(({ status }) => status === 204),
      where,
    ).toBe(true);
  }
  const [left] = await records`select (select count(*) from directory.fleet_places)::int as places,
    (select count(*) from directory.fleet_ports)::int as ports,
    (select count(*) from directory.fleet_accounts where used <> 0)::int as accounts`;
  expect([{ ...left }, hosts.map(({ has }) => has.size)]).toEqual([{ places: 0, ports: 0, accounts: 0 }, [0, 0]]);
});
