import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "./postgres.testing.ts";

// scripts/supervise.sh, which is the same for both services: shown with the directory, which starts faster.

const SUPERVISE = join(resolve(import.meta.dirname, ".."), "scripts/supervise.sh");

/** A start takes seconds, and many on a busy machine. */
const SLOW = { timeout: 120_000 };

const folder = mkdtempSync(join(tmpdir(), "berth-supervision-"));
const run = join(folder, "run");
const supervisors: ChildProcess[] = [];
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  mkdirSync(run);
  mkdirSync(join(folder, "state/log"), { recursive: true });
});
afterAll(async () => {
  for (const supervisor of supervisors) await end(supervisor, "SIGTERM");
  await database?.drop();
  rmSync(folder, { recursive: true });
});

function supervise(port: number): ChildProcess {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    BERTH_CONF: "/dev/null",
    BERTH_STATE: join(folder, "state"),
    BERTH_RUN: run,
    BERTH_DIRECTORY_LISTEN: `127.0.0.1:${port}`,
    BERTH_DIRECTORY_DATABASE_URL: database.url,
  };
  const supervisor = spawn("bash", [SUPERVISE, "directory"], { env, stdio: "ignore" });
  supervisors.push(supervisor);
  return supervisor;
}

async function end(supervisor: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (supervisor.exitCode !== null || supervisor.signalCode !== null) return;
  const ended = once(supervisor, "exit");
  supervisor.kill(signal);
  await ended;
}

function pidOfService(): number {
  return Number(readFileSync(join(run, "directory.pid"), "utf8"));
}

function logged(): string {
  const log = join(folder, "state/log/directory.log");
  return existsSync(log) ? readFileSync(log, "utf8") : "";
}

/** The status of the service that started last; 0 where none answers. */
async function status(): Promise<number> {
  const port = [...logged().matchAll(/"port":(\d+),"msg":"listening"/g)].at(-1)?.[1];
  if (port === undefined) return 0;
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    (answer) => answer.status,
    () => 0,
  );
}

test("a service that ends is started again, and its log says how it ended", SLOW, async () => {
  // The log of earlier runs is long, and is set apart.
  const log = join(folder, "state/log/directory.log");
  writeFileSync(log, "x".repeat(16 << 20));
  const supervisor = supervise(0);
  await expect.poll(status, SLOW).toBe(200);
  expect([statSync(`${log}.1`).size, logged().includes("x".repeat(1000))]).toEqual([16 << 20, false]);
  const first = pidOfService();
  process.kill(first, "SIGKILL");
  await expect.poll(async () => pidOfService() !== first && (await status()) === 200, SLOW).toBe(true);
  expect(logged()).toContain("supervisor: the service was ended by SIGKILL, 1 in a row; starting it again in .5 s");

  // A supervisor that is gone leaves the service; the next one takes it over and ends it.
  const second = pidOfService();
  await end(supervisor, "SIGKILL");
  const next = supervise(0);
  await expect.poll(logged).toContain(`adopted the running service (process ${second})`);
  await end(next, "SIGTERM");
  expect(await status()).toBe(0);
  expect(existsSync(join(run, "directory.pid"))).toBe(false);
});

test("a start that fails again and again names the setting", SLOW, async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const supervisor = supervise(port);
  const failures = join(run, "directory.failures");
  await expect.poll(() => (existsSync(failures) ? readFileSync(failures, "utf8") : ""), SLOW).toBe("2\n");
  await end(supervisor, "SIGTERM");
  other.close();
  expect(logged()).toContain(`BERTH_DIRECTORY_LISTEN: 127.0.0.1:${port} is in use by another program`);
});
