import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OwnBerth, startBerth } from "./berth.testing.ts";

const SUPERVISE = join(resolve(import.meta.dirname, ".."), "scripts/supervise.sh");

/** A start takes seconds, and many on a busy machine. */
const SLOW = { timeout: 120_000 };

let berth: OwnBerth;
beforeAll(async () => {
  berth = await startBerth();
  await berth.container.end("SIGTERM");
  mkdirSync(join(berth.state, "log"), { recursive: true });
});
afterAll(async () => {
  for (const supervisor of SUPERVISORS.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
    supervisor.kill("SIGTERM");
    await once(supervisor, "exit");
  }
  await berth?.close();
});

const SUPERVISORS: ChildProcess[] = [];

function supervise(settings: Readonly<Record<string, string>> = {}): ChildProcess {
  const supervisor = spawn("bash", [SUPERVISE, "container"], { env: { ...berth.env, ...settings }, stdio: "ignore" });
  SUPERVISORS.push(supervisor);
  return supervisor;
}

function pidOfService(): number {
  return Number(readFileSync(join(berth.run, "container.pid"), "utf8"));
}

function logged(): string {
  return readFileSync(join(berth.state, "log/container.log"), "utf8");
}

function answers(): Promise<number> {
  return berth.ask("GET", "/_ping").then(
    ({ status }) => status,
    () => 0,
  );
}

test("a service that ends is started again, and its log says how it ended", SLOW, async () => {
  const supervisor = supervise();
  await expect.poll(answers, SLOW).toBe(200);
  const first = pidOfService();
  process.kill(first, "SIGKILL");
  await expect.poll(async () => pidOfService() !== first && (await answers()) === 200, SLOW).toBe(true);
  expect(logged()).toContain("supervisor: the service was ended by SIGKILL, 1 in a row; starting it again in .5 s");

  // A supervisor that is gone leaves the service; the next one takes it over and ends it.
  const second = pidOfService();
  supervisor.kill("SIGKILL");
  await once(supervisor, "exit");
  const next = supervise();
  await expect.poll(logged).toContain(`adopted the running service (process ${second})`);
  next.kill("SIGTERM");
  await once(next, "exit");
  expect(await answers()).toBe(0);
  expect(existsSync(join(berth.run, "container.pid"))).toBe(false);
});

test("a start that fails again and again names the setting", SLOW, async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const address = other.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const supervisor = supervise({ BERTH_LISTEN: `127.0.0.1:${port}` });
  const failures = join(berth.run, "container.failures");
  await expect.poll(() => (existsSync(failures) ? readFileSync(failures, "utf8") : ""), SLOW).toBe("2\n");
  supervisor.kill("SIGTERM");
  await once(supervisor, "exit");
  other.close();
  expect(logged()).toContain(`BERTH_LISTEN: 127.0.0.1:${port} is in use by another program`);
});
