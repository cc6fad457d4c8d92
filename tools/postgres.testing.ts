import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { access, chown, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";

const run = promisify(execFile);

declare module "vitest" {
  interface ProvidedContext {
    readonly postgresFolder: string;
  }
}

/** For vitest's `globalSetup`: names a folder for this run's Postgres and stops the server, if a test started it. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "berth-postgres-"));
  project.provide("postgresFolder", folder);
  return async () => {
    if (await exists(join(folder, "data", "postmaster.pid")))
      await asServerUser(await binary("pg_ctl"), ["stop", "-D", join(folder, "data"), "-m", "immediate"]);
    await rm(folder, { recursive: true, force: true });
  };
}

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Makes an empty database on this run's Postgres; the first to ask starts the server, the others wait for it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const port = await startServer(inject("postgresFolder"));
  const name = `test_${randomBytes(6).toString("hex")}`;
  const server = ["-h", "127.0.0.1", "-p", port, "-U", "postgres"];
  await run(await binary("createdb"), [...server, name]);
  return {
    url: `postgres://postgres@127.0.0.1:${port}/${name}`,
    drop: async () => void (await run(await binary("dropdb"), [...server, "--force", name])),
  };
}

// What a machine crash would lose is lost with the test anyway.
const SETTINGS = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "max_connections=200",
  "listen_addresses=127.0.0.1",
];

/** Starts the server once and returns its port: `flock` lets one worker do it, and the others find it done. */
async function startServer(folder: string): Promise<string> {
  const data = join(folder, "data");
  if (process.getuid?.() === 0) await chown(folder, ...(await postgresUser()));
  const options = [...SETTINGS, `unix_socket_directories=${folder}`].map((one) => `-c ${one}`).join(" ");
  const script = `
    set -e
    [ -e "$1/port" ] && exit 0
    "$2" -D "$1" -U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-sync >/dev/null
    "$3" start -w -D "$1" -l "$1/log" -o "$4 -c port=$5" >/dev/null
    echo "$5" >"$1/port"`;
  const [initdb, pgCtl, port] = [await binary("initdb"), await binary("pg_ctl"), await freePort()];
  // `-o`: the server must not inherit the lock, or it would hold it for as long as it runs.
  await asServerUser("flock", [
    "-o",
    join(folder, "lock"),
    "sh",
    "-c",
    script,
    "sh",
    data,
    initdb,
    pgCtl,
    options,
    `${port}`,
  ]);
  return (await readFile(join(data, "port"), "utf8")).trim();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("a listening socket has no port");
  return address.port;
}

/** Postgres refuses to run as root: root runs it as the user that Debian's package makes. */
async function asServerUser(command: string, args: readonly string[]): Promise<void> {
  if (process.getuid?.() === 0) await run("runuser", ["-u", "postgres", "--", command, ...args]);
  else await run(command, [...args]);
}

async function postgresUser(): Promise<[number, number]> {
  const { stdout } = await run("id", ["-u", "postgres"]);
  const group = await run("id", ["-g", "postgres"]);
  return [Number(stdout), Number(group.stdout)];
}

async function binary(name: string): Promise<string> {
  const root = "/usr/lib/postgresql";
  const versions = (await readdir(root).catch(() => [])).sort((a, b) => Number(b) - Number(a));
  for (const version of versions) {
    const path = join(root, version, "bin", name);
    if (await exists(path)) return path;
  }
  throw new Error(`These tests need PostgreSQL's ${name} in ${root}/*/bin: apt-get install postgresql-15`);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
