import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLEAN_FLEET, FLEET_AUDIT } from "../apps/directory/src/db/fleet/audit.testing.ts";
import { createClient } from "../packages/service-kit/src/database.ts";
import { ask } from "../scripts/ask.mjs";
import { createAuthority } from "../tools/certificates.testing.ts";
import { createTestDatabase, type TestDatabase } from "../tools/postgres.testing.ts";
import { freeSubnet, type OwnBerth, startBerthOn } from "./berth.testing.ts";
import { type Lan, openLan, type WiredMachine } from "./machines.testing.ts";
import { answers, page } from "./net.testing.ts";
import { type Service, startService } from "./service.testing.ts";

// Three hosts of one fleet: a whole Berth each, with a network, a host name, a containerd, a state and a database of its own. The directory
// and the users' clients are on this machine, at the same switch.

const ROOT = resolve(import.meta.dirname, "..");
const NAMES = ["h1", "h2", "h3"];
const COMPOSE = join(import.meta.dirname, "fixtures/tenant-ports-compose.yml");
const PASS = "a long password nobody guesses";
const GIB = 2 ** 30;

const folder = mkdtempSync(join(tmpdir(), "berth-fleet-"));
const databases: TestDatabase[] = [];
const hosts = new Map<string, { readonly machine: WiredMachine; readonly berth: OwnBerth }>();
let lan: Lan;
let directory: Service;
let url = "";
let admin = "";
let records: ReturnType<typeof createClient>;

function hostNamed(name: string) {
  const host = hosts.get(name);
  if (host === undefined) throw new Error(`there is no ${name}`);
  return host;
}

/** Asks the directory as the administrator, or with another token. */
async function call(method: string, path: string, json?: unknown, token = admin) {
  return await ask(`${url}/api${path}`, { method, json, headers: { authorization: `Bearer ${token}` } });
}

async function made(path: string, json: object) {
  const answer = await call("POST", path, json);
  if (answer.status >= 300) throw new Error(`POST ${path} answered ${answer.status} ${answer.text}`);
  return answer.json;
}

/** A user with these constraints, and the token of a sign-in. */
async function addUser(login: string, ...constraints: readonly object[]): Promise<{ id: number; token: string }> {
  const { id } = await made("/users", { login, email: `${login}@example.test`, pass: PASS });
  for (const constraint of constraints) await made(`/users/${id}/constraints`, constraint);
  return { id, token: (await made("/login", { login, pass: PASS })).token };
}

/** Runs a script of a user on this machine, whose clients have its certificate in `~/.docker` and its token. */
async function asUser(home: string, token: string, script: string): Promise<string> {
  const env = {
    PATH: `${folder}/bin:${ROOT}/.cache/clients/usr/bin:${process.env.PATH}`,
    HOME: home,
    DOCKER_CERT_PATH: join(home, ".docker"),
    BERTH_DIRECTORY_URL: url,
    BERTH_TOKEN: token,
    BERTH_SOCKET: "/nonexistent/berth.sock",
    TESTCONTAINERS_RYUK_DISABLED: "true",
  };
  const { stdout } = await promisify(execFile)("bash", ["-ec", script], { env, cwd: ROOT }).catch(
    ({ stdout: out, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(`${script} failed:\n${out}${stderr}`);
    },
  );
  return stdout.trim();
}

async function startDirectory(): Promise<void> {
  databases.push(await createTestDatabase());
  const listen = `${lan.address}:7780`;
  url = `http://${listen}`;
  const settings = {
    BERTH_CONF: "/dev/null",
    BERTH_STATE: join(folder, "directory"),
    BERTH_RUN: join(folder, "run"),
    BERTH_DIRECTORY_LISTEN: listen,
    BERTH_DIRECTORY_DATABASE_URL: databases[0]?.url ?? "",
  };
  const where = { folder, logs: folder, enter: [] };
  const isReady = async () => (await fetch(`${url}/readyz`)).ok;
  directory = await startService("directory", { ...process.env, ...settings }, where, isReady);
  admin = readFileSync(join(folder, "directory/admin-token"), "utf8").trim();
  records = createClient(databases[0]?.url ?? "");
}

/** A host of the fleet, as docs/two-hosts.md and docs/fleet.md set it up; h2 is for places alone. */
async function startHost(machine: WiredMachine, tls: Readonly<Record<string, string>>): Promise<void> {
  const { name, address } = machine;
  const database = await createTestDatabase();
  databases.push(database);
  const [service] = (await call("GET", "/users?q=container-service")).json;
  const { token } = await made("/tokens", { label: name, userId: service.id, scopes: ["read", "report"] });
  const tokenFile = join(folder, `${name}-token`);
  writeFileSync(tokenFile, token, { mode: 0o600 });
  const berth = await startBerthOn(machine.enter, {
    BERTH_CONTAINER_DATABASE_URL: database.url,
    BERTH_DIRECTORY_URL: url,
    BERTH_DIRECTORY_TOKEN_FILE: tokenFile,
    BERTH_TLS_LISTEN: `${address}:2376`,
    BERTH_FLEET_ADDRESS: `tcp://${address}:2376`,
    BERTH_PLACES_ONLY: String(name === "h2"),
    ...tls,
  });
  hosts.set(name, { machine, berth });
}

let ann: { id: number; token: string };
const home = join(folder, "ann");

beforeAll(async () => {
  lan = await openLan(NAMES, freeSubnet());
  await startDirectory();
  const authority = await createAuthority(join(folder, "authority"));
  await Promise.all(
    lan.machines.map(async (machine) => {
      const { cert, key } = await authority.issueServer(machine.address);
      await startHost(machine, { BERTH_TLS_CERT: cert, BERTH_TLS_KEY: key, BERTH_TLS_CA: authority.ca });
    }),
  );
  ann = await addUser("ann", { kind: "host-ports", effect: "grant", ports: [{ start: 8080, end: 8080 }] });
  mkdirSync(join(home, ".docker"), { recursive: true });
  const { cert, key } = await authority.issueClient("/CN=ann");
  for (const [from, to] of [
    [authority.ca, "ca.pem"],
    [cert, "cert.pem"],
    [key, "key.pem"],
  ] as const)
    copyFileSync(from, join(home, ".docker", to));
  mkdirSync(join(folder, "bin"));
  const command = `#!/bin/sh\nexec ${process.execPath} ${ROOT}/packages/cli/dist/bundle/main.js "$@"\n`;
  writeFileSync(join(folder, "bin/berth"), command, { mode: 0o755 });
}, 300_000);

afterAll(async () => {
  for (const { machine, berth } of hosts.values()) {
    await machine.plug();
    await berth.close();
  }
  await records?.end();
  await directory?.end("SIGTERM");
  await lan?.close();
  for (const database of databases) await database.drop();
  rmSync(folder, { recursive: true, force: true });
}, 300_000);

interface Granted {
  readonly id: number;
  readonly name: string;
  readonly user: { readonly id: number; readonly login: string };
  readonly host: string;
  readonly memory: number;
  readonly ports: readonly string[];
  readonly state: string;
}

async function ledger(): Promise<readonly Granted[]> {
  return (await call("GET", "/fleet/places")).json;
}

async function faultsOf(): Promise<object> {
  const [faults] = await records.unsafe(FLEET_AUDIT);
  return { ...faults };
}

/** What the ledger has, what of it only a failed one would have, and what the hosts say. */
async function audit() {
  const [counts] = await records`select (select count(*) from directory.fleet_places)::int as places,
    (select count(*) from directory.fleet_ports)::int as ports,
    (select count(*) from directory.fleet_accounts where used <> 0)::int as accounts`;
  const onHosts = await Promise.all(
    NAMES.map(async (name) => (await hostNamed(name).berth.expect([200], "GET", "/berth/places")).json),
  );
  return { faults: await faultsOf(), counts: { ...counts }, onHosts: onHosts.flat() };
}
const NOTHING = { faults: CLEAN_FLEET, counts: { places: 0, ports: 0, accounts: 0 }, onHosts: [] };

test("200 takes at once: no port twice, nobody over a quota, and the hosts have just what was granted", {
  timeout: 300_000,
}, async () => {
  await expect.poll(async () => (await call("GET", "/fleet/hosts")).json.length, { timeout: 60_000 }).toBe(3);
  const most = GIB;
  const users = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      addUser(
        `user${at}`,
        { kind: "host-ports", effect: "grant", ports: [{ start: 9000, end: 9039 }] },
        { kind: "quota", resource: "memory", max: most },
      ),
    ),
  );
  const size = { memory: GIB / 4, cpus: 0.05 };
  const asked = Array.from({ length: 200 }, (_, at) => {
    const memory = at % 3 === 0 ? GIB : size.memory;
    const port = 9000 + ((at * 13) % 40);
    const wish = { ...size, memory, name: `p${at}`, host: NAMES[(at * 7) % 3], ports: [`${port}`] };
    return call("POST", "/fleet/places", wish, users[at % 10]?.token);
  });
  const outcomes = await Promise.all(asked);
  const ids = outcomes.filter(({ status }) => status === 201).map(({ json }) => json.id);
  const refusals = outcomes.filter(({ status }) => status !== 201);
  expect(refusals.every(({ status }) => status === 403 || status === 409)).toBe(true);
  // The hosts have room for all that the quotas leave.
  expect(refusals.some(({ json }) => json.detail.includes("quota memory"))).toBe(true);
  // A busy machine answers some as `wanted`, since its hosts take more than ten seconds.
  const states = async () => [...new Set((await ledger()).map(({ state }) => state))];
  await expect.poll(states, { timeout: 120_000 }).toEqual(["ready"]);
  const granted = await ledger();
  expect(granted.map(({ id }) => id).sort()).toEqual(ids.sort());
  const { faults, counts, onHosts } = await audit();
  expect([faults, counts.places]).toEqual([CLEAN_FLEET, granted.length]);
  const keyOf = (place: Granted) => [place.user.login, place.name, place.memory, ...place.ports].join(" ");
  expect(onHosts.map(keyOf).sort()).toEqual(granted.map(keyOf).sort());
  const ports = granted.map(({ host, ports: own }) => `${host} ${own}`);
  expect(new Set(ports).size).toBe(ports.length);
  for (const { id } of users) {
    const own = granted.filter(({ user }) => user.id === id);
    expect(own.reduce((sum, { memory }) => sum + memory, 0)).toBeLessThanOrEqual(most);
    expect(own.length).toBeGreaterThan(0);
  }
  const given = await Promise.all(granted.map(({ id }) => call("DELETE", `/fleet/places/${id}`)));
  expect(given.every(({ status }) => status === 204 || status === 202)).toBe(true);
  await expect.poll(audit, { timeout: 120_000 }).toEqual(NOTHING);
});

describe("ann works on another host as on her own machine", { timeout: 180_000 }, () => {
  const take = (name: string, host: string, ...more: readonly string[]) =>
    asUser(home, ann.token, `berth places take ${name} --host ${host} --memory 512m --env ${more.join(" ")}`);
  /** Runs clients in a place, by what its taking printed. */
  const inPlace = (printed: string, script: string) => asUser(home, ann.token, `${printed}\n${script}`);
  let printed: Readonly<Record<string, string>>;
  let address = "";

  beforeAll(async () => {
    address = hostNamed("h2").machine.address;
    printed = {
      h1: await take("far", "h1", "--port 8080"),
      h2: await take("ci", "h2", "--port 8080,24300-24309"),
      h3: await take("spare", "h3", "--port 8080"),
    };
  }, 120_000);

  test("the Docker CLI, and its port at that host's address alone", async () => {
    expect(printed.h2).toContain(`DOCKER_HOST='tcp://${address}:2376/places/ci'`);
    const web = "docker run -d --name web -p 8080:80 busybox httpd -f -p 80 -h /etc";
    const [h1, h2] = [await inPlace(`${printed.h1}`, web), await inPlace(`${printed.h2}`, web)];
    for (const [name, id] of [
      ["h1", h1],
      ["h2", h2],
    ] as const)
      expect(await page(`http://${hostNamed(name).machine.address}:8080/hostname`)).toBe(`${id.slice(0, 12)}\n`);
    expect(await answers(`http://${hostNamed("h3").machine.address}:8080/`)).toBe(false);
    expect(await inPlace(`${printed.h2}`, "docker ps -a --format '{{.Names}} {{.Ports}}'")).toContain(
      "web 0.0.0.0:8080->80",
    );
    expect(await inPlace(`${printed.h2}`, "docker exec web hostname")).toBe(h2.slice(0, 12));
    const refused = inPlace(`${printed.h2}`, "docker run --rm -p 8081:80 busybox true");
    await expect(refused).rejects.toThrow("8081/tcp is outside the limit set by place ci");
  });

  test("docker compose, with ports of the place's range", async () => {
    const compose = `TENANT=ann docker-compose -p shop -f ${COMPOSE}`;
    await inPlace(`${printed.h2}`, `${compose} up -d --scale web=3 2>&1`);
    const ports = await inPlace(`${printed.h2}`, "docker ps --filter name=shop-web --format '{{.Ports}}'");
    const found = new Set([...ports.matchAll(/0\.0\.0\.0:(\d+)->80/g)].map(([, port]) => Number(port)));
    expect(found.size).toBe(3);
    for (const port of found) expect(await page(`http://${address}:${port}/`)).toBe("ann\n");
    await inPlace(`${printed.h2}`, `${compose} down -v -t 0 2>&1`);
    expect(await inPlace(`${printed.h2}`, "docker ps --format '{{.Names}}'")).toBe("web");
  });

  test("testcontainers, which knows no path, in the only place that she has there", async () => {
    const ran = await inPlace(`${printed.h2}`, "node conformance/fixtures/testcontainers-elsewhere.mjs");
    const { address: at, fetched, output, exitCode, hostname } = JSON.parse(ran);
    expect(new URL(at).hostname).toBe(address);
    expect([fetched, output, exitCode]).toEqual([`${hostname}\n`, `${hostname}\n`, 0]);
    await inPlace(`${printed.h2}`, 'test -z "$(docker ps -q --filter label=org.testcontainers)"');
  });
});

describe("when a host is away", { timeout: 300_000 }, () => {
  /** Whether a container's port answers on the machine itself. */
  async function answersThere(name: string): Promise<boolean> {
    const { enter } = hostNamed(name).machine;
    const [program = "", ...words] = [...enter, "wget", "-qO-", "-T", "5", "http://127.0.0.1:8080/hostname"];
    return promisify(execFile)(program, words).then(
      () => true,
      () => false,
    );
  }
  const places = async () => (await ledger()).map(({ host, name }) => `${host} ${name}`);
  /** Lets the thirty seconds pass after which a silent host may be forgotten. */
  const forget = async (name: string) => {
    await records`update directory.fleet_hosts set seen_at = now() - interval '1 minute' where name = ${name}`;
    expect((await call("DELETE", `/fleet/hosts/${name}`)).status).toBe(204);
  };
  const ps = async (name: string, place: string) => {
    const host = `DOCKER_TLS_VERIFY=1 timeout 20 docker -H tcp://${hostNamed(name).machine.address}:2376/places/${place}`;
    return await asUser(home, ann.token, `${host} ps --format '{{.Names}}' 2>&1`).catch(
      (fault: Error) => fault.message,
    );
  };

  test("cut off, its containers go on, and it goes on as if nothing had been", async () => {
    const { machine, berth } = hostNamed("h2");
    await machine.unplug();
    expect(await answers(`http://${machine.address}:8080/`)).toBe(false);
    expect(await answersThere("h2")).toBe(true);
    expect((await berth.expect([200], "GET", "/containers/json")).json).toHaveLength(1);
    await machine.plug();
    await expect.poll(() => ps("h2", "ci"), { timeout: 60_000 }).toBe("web");
    expect(await places()).toEqual(["h1 far", "h2 ci", "h3 spare"]);
  });

  test("cut off until it was forgotten, it ends its lost places when it is back, and gets new ones", async () => {
    const { machine, berth } = hostNamed("h2");
    await machine.unplug();
    await forget("h2");
    expect(await places()).toEqual(["h1 far", "h3 spare"]);
    expect(await answersThere("h2")).toBe(true);
    await machine.plug();
    await expect
      .poll(() => berth.ask("GET", "/berth/places").then(({ json }) => json), { timeout: 90_000 })
      .toEqual([]);
    expect((await berth.expect([200], "GET", "/containers/json?all=1")).json).toEqual([]);
    expect(await ps("h2", "ci")).toContain("user ann has no place ci on this host");
    await expect.poll(async () => (await call("GET", "/fleet/hosts")).json.length, { timeout: 60_000 }).toBe(3);
    await asUser(home, ann.token, "berth places take ci --host h2 --memory 512m --port 8080 --env");
  });

  test("dead and forgotten, its room is free, and it ends its lost places when it is back", async () => {
    const { berth } = hostNamed("h1");
    await berth.container.end("SIGKILL");
    await forget("h1");
    expect(await places()).toEqual(["h3 spare", "h2 ci"]);
    expect(await faultsOf()).toEqual(CLEAN_FLEET);
    expect(await answersThere("h1")).toBe(true);
    await berth.container.start();
    await expect
      .poll(() => berth.ask("GET", "/berth/places").then(({ json }) => json), { timeout: 90_000 })
      .toEqual([]);
    expect(await answersThere("h1")).toBe(false);
    await expect.poll(async () => (await call("GET", "/fleet/hosts")).json.length, { timeout: 60_000 }).toBe(3);
    for (const { id } of await ledger()) await call("DELETE", `/fleet/places/${id}`);
    await expect.poll(audit, { timeout: 60_000 }).toEqual(NOTHING);
  });
});
