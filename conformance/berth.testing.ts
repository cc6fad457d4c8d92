import { execFile } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { type Answer, type AskOptions, ask } from "../scripts/ask.mjs";
import { loadBusybox } from "../scripts/busybox.mjs";
import { claim } from "./claim.testing.ts";
import { entryOf, type Service, type Settings, startService } from "./service.testing.ts";

const ROOT = resolve(import.meta.dirname, "..");
const run = promisify(execFile);

/** Where a Berth is. */
export interface Place {
  readonly instance: string;
  readonly socket: string;
  readonly state: string;
  readonly run: string;
}

/** A Berth as its clients see it. */
export interface Berth extends Place {
  /** Asks the engine, by `/v1.41/containers/json` or without a version. */
  ask(method: string, path: string, options?: AskOptions): Promise<Answer>;
  /** The same, and fails unless the status is one of `statuses`. */
  expect(statuses: readonly number[], method: string, path: string, json?: unknown): Promise<Answer>;
}

/** A Berth whose service a test may end. */
export interface OwnBerth extends Berth {
  readonly container: Service;
  /** The settings of its services. */
  readonly env: NodeJS.ProcessEnv;
  /** Starts a further container service with the same settings, and gives what it says when it has ended. */
  another(): Promise<string>;
  /** Ends everything and removes the state. */
  close(): Promise<void>;
}

/** A Berth with its directory, which lets people in over TCP. */
export interface BerthWithDirectory extends OwnBerth {
  readonly directory: Service;
  readonly directoryUrl: string;
  /** Where the engine listens for them. */
  readonly tcp: string;
  /** The first administrator's token. */
  readonly adminToken: string;
}

/** A client of the Berth there. */
export function berthAt(place: Place): Berth {
  const target = `unix:${place.socket}`;
  return {
    ...place,
    ask: (method, path, options) => ask(target, { method, path, ...options }),
    async expect(statuses, method, path, json) {
      const answer = await ask(target, { method, path, json });
      if (statuses.includes(answer.status)) return answer;
      throw new Error(`${method} ${path} answered ${answer.status} ${answer.text}`);
    },
  };
}

/**
 * Starts a real Berth beside every other one on this machine: its own state, socket, containerd namespace, bridge and addresses.
 * The image `busybox:latest` is in it.
 * @param disk what its state is on, where that is not this machine's own.
 */
export async function startBerth(disk?: Disk): Promise<OwnBerth> {
  const settings = disk === undefined ? {} : { BERTH_DISK_RESERVE: "0" };
  const home = await makeHome({ BERTH_DIRECTORY_URL: `http://127.0.0.1:${await freePort()}`, ...settings }, { disk });
  const container = await startContainerService(home);
  return ownBerth(home, container, () => teardown(home));
}

/**
 * The same with a directory beside it.
 * @param furtherSettings of the container service, made once the directory answers, in a folder that goes with the Berth.
 */
export async function startBerthWithDirectory(
  furtherSettings: (directory: {
    readonly folder: string;
    readonly url: string;
    readonly adminToken: string;
    /** Where the engine is going to listen. */
    readonly tcp: string;
  }) => Promise<Settings> = async () => ({}),
  directorySettings: Settings = {},
): Promise<BerthWithDirectory> {
  const listen = `127.0.0.1:${await freePort()}`;
  const directoryListen = `127.0.0.1:${await freePort()}`;
  const url = `http://${directoryListen}`;
  const addresses = { BERTH_LISTEN: listen, BERTH_DIRECTORY_LISTEN: directoryListen, BERTH_DIRECTORY_URL: url };
  const settings = { ...directorySettings, ...addresses };
  const home = await makeHome(settings);
  const { env, folder, place } = home;
  const directory = await startService("directory", env, home, async () => (await fetch(`${url}/readyz`)).ok);
  const adminToken = readFileSync(join(place.state, "admin-token"), "utf8").trim();
  const further = await furtherSettings({ folder, url, adminToken, tcp: `tcp://${listen}` });
  const container = await startContainerService({ ...home, env: { ...env, ...further } });
  const berth = ownBerth(home, container, async () => {
    await directory.end("SIGTERM");
    await teardown(home);
  });
  return { ...berth, directory, directoryUrl: url, tcp: `tcp://${listen}`, adminToken };
}

/** Starts a container service on another machine, which the words `enter`. It has nothing of its own but what these settings give it. */
export async function startBerthOn(enter: readonly string[], settings: Settings): Promise<OwnBerth> {
  const home = await makeHome(settings, { enter });
  const container = await startContainerService(home);
  return ownBerth(home, container, () => teardown(home));
}

function ownBerth(home: Home, container: Service, removeRest: () => Promise<void>): OwnBerth {
  return {
    ...berthAt(home.place),
    container,
    env: home.env,
    async another() {
      const [program = "", ...args] = [...home.enter, process.execPath, entryOf("container")];
      const ending = run(program, args, { env: home.env, cwd: home.folder });
      return ending.then(
        ({ stdout, stderr }) => stdout + stderr,
        ({ stdout, stderr }) => stdout + stderr,
      );
    },
    async close() {
      await container.end("SIGTERM");
      await removeRest();
    },
  };
}

/** A file system in memory. */
export interface Disk {
  readonly mebibytes: number;
}

/** Where a Berth lives, and its settings. */
interface Home {
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
  /** Where the services' logs are. */
  readonly logs: string;
  /** The words that enter the machine that it is on; none for this one. */
  readonly enter: readonly string[];
  readonly place: Place;
}

/** Starts or stops the private Postgres of the Berth there, if its settings name no other. */
async function controlPostgres({ env }: Pick<Home, "env">, command: "start" | "stop"): Promise<void> {
  if (env.BERTH_CONTAINER_DATABASE_URL !== undefined) return;
  await run("bash", [join(ROOT, "scripts/postgres.sh"), command], { env });
}

async function teardown({ env, folder, place, logs, enter }: Home): Promise<void> {
  const [program = "", ...args] = [...enter, process.execPath, entryOf("container"), "teardown"];
  await run(program, args, { env, cwd: folder });
  await controlPostgres({ env }, "stop");
  if (logs !== folder) await run("umount", ["--lazy", place.state]);
  rmSync(folder, { recursive: true, force: true });
}

let homes = 0;

async function makeHome(
  settings: Settings,
  { disk, enter = [] }: { readonly disk?: Disk | undefined; readonly enter?: readonly string[] } = {},
): Promise<Home> {
  const folder = mkdtempSync(join(tmpdir(), "berth-conformance-"));
  const instance = `bt${homes++}${process.pid.toString(36)}`;
  const state = join(folder, "state");
  const runFolder = join(folder, "run");
  const socket = join(runFolder, "berth.sock");
  // Postgres' own user has to get through.
  chmodSync(folder, 0o711);
  const logs = disk === undefined ? folder : join(state, "log");
  if (disk !== undefined) {
    mkdirSync(state);
    await run("mount", ["-t", "tmpfs", "-o", `size=${disk.mebibytes}m,mode=711`, "tmpfs", state]);
    mkdirSync(logs);
  }
  const env = {
    ...process.env,
    // What is installed on this machine has its own.
    BERTH_CONF: "/dev/null",
    BERTH_STATE: state,
    BERTH_RUN: runFolder,
    BERTH_SOCKET: socket,
    BERTH_INSTANCE: instance,
    BERTH_SUBNET: freeSubnet(),
    ...settings,
  };
  await controlPostgres({ env }, "start");
  return { env, folder, logs, enter, place: { instance, socket, state, run: runFolder } };
}

async function startContainerService({ env, folder, logs, enter, place }: Home): Promise<Service> {
  const target = `unix:${place.socket}`;
  const container = await startService("container", env, { folder, logs, enter }, async () => {
    const answer = await ask(target, { path: "/_ping", timeout: 2000 });
    return answer.status === 200;
  });
  await loadBusybox(target, "busybox:latest");
  return container;
}

/** Removes every container, running or not. */
export async function removeContainers(berth: Berth): Promise<void> {
  const { json } = await berth.expect([200], "GET", "/containers/json?all=true");
  const ids: readonly string[] = json.map(({ Id }: { Id: string }) => Id);
  await Promise.all(ids.map((id) => berth.expect([204, 404, 409], "DELETE", `/containers/${id}?force=true&v=true`)));
}

const FIRST_NETWORK = 128;
const NETWORKS = 64;

/** A subnet for containers, beside those of the sources' tests: a /16 of 10.128.0.0/10 that no interface is in, and nobody got before. */
export function freeSubnet(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
  const networks = Array.from({ length: NETWORKS }, (_, at) => `10.${FIRST_NETWORK + at}.`);
  const isFree = (network: string) => !addresses.some((one) => one.startsWith(network));
  const free = networks.find((network) => isFree(network) && claim(`subnet-${network}0.0`));
  if (free === undefined) throw new Error("no /16 of 10.128.0.0/10 is free");
  return `${free}0.0/16`;
}

/** A TCP port of the loopback that nobody has at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("a TCP server has an address");
  return address.port;
}
