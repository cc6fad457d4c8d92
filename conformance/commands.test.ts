import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { ask } from "../scripts/ask.mjs";
import { freePort, freeSubnet } from "./berth.testing.ts";
import { tracesOf } from "./machine.testing.ts";
import { answers, foreignListener, page } from "./net.testing.ts";

const ROOT = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "berth-commands-"));
// The user of Postgres must be able to enter.
chmodSync(folder, 0o711);
const STATE = join(folder, "state");
const RUN = join(folder, "run");
const INSTANCE = `bc${process.pid.toString(36)}`;
const foreign = await foreignListener("127.0.0.1");
const DIRECTORY = `127.0.0.1:${await freePort()}`;

const ENV = {
  ...process.env,
  // What is installed on this machine has its own.
  BERTH_CONF: "/dev/null",
  BERTH_STATE: STATE,
  BERTH_RUN: RUN,
  BERTH_BIN: join(folder, "bin"),
  BERTH_INSTANCE: INSTANCE,
  BERTH_SUBNET: freeSubnet(),
  BERTH_DIRECTORY_LISTEN: DIRECTORY,
  // Another program has it: the demo takes the next one.
  BERTH_DEMO_PORT: String(foreign.port),
};

function command(script: string, ...args: readonly string[]): Promise<{ code: number; output: string }> {
  return runScript({}, script, ...args);
}

function startWith(settings: Readonly<Record<string, string>>): Promise<{ code: number; output: string }> {
  return runScript(settings, "start.sh");
}

function runScript(settings: Readonly<Record<string, string>>, script: string, ...args: readonly string[]) {
  return new Promise<{ code: number; output: string }>((settle) => {
    const options = { env: { ...ENV, ...settings }, cwd: tmpdir() };
    execFile("bash", [join(ROOT, "scripts", script), ...args], options, (failure, stdout, stderr) =>
      settle({ code: failure === null ? 0 : Number(failure.code ?? 1), output: stdout + stderr }),
    );
  });
}

function pids() {
  return ["directory", "container"].map((name) => readFileSync(join(RUN, `${name}.pid`), "utf8"));
}

afterAll(async () => {
  await command("stop.sh", "--purge");
  await foreign.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.sequential("npm start and npm stop", { timeout: 180_000 }, () => {
  let demo: string;

  test("start runs both services and a demo that answers, and says where everything is", async () => {
    const started = await command("start.sh");
    expect(started).toMatchObject({ code: 0 });
    demo = /demo +(http:\S+)/.exec(started.output)?.[1] ?? "";
    expect(new URL(demo).port).not.toBe(String(foreign.port));
    expect(await page(demo)).toContain("berth-demo");
    expect(started.output).toContain(`docker context create berth --docker host=unix://${RUN}/berth.sock`);
    expect(started.output).toContain(`http://${DIRECTORY}`);
    expect(started.output).toContain("npm stop");

    const token = join(STATE, "admin-token");
    expect(statSync(token).mode & 0o777).toBe(0o600);
    expect(statSync(join(RUN, "berth.sock")).mode & 0o777).toBe(0o660);
    const secret = readFileSync(token, "utf8").trim();
    expect(started.output).not.toContain(secret);
    expect(readFileSync(join(STATE, "log/directory.log"), "utf8")).not.toContain(secret);
    const users = await ask(`http://${DIRECTORY}/api/users`, { headers: { authorization: `Bearer ${secret}` } });
    expect(users.status).toBe(200);
    expect((await ask(`http://${DIRECTORY}/api/users`)).status).toBe(401);
  });

  test("start links a berth command that finds its directory and the first administrator's token", async () => {
    const { PATH } = process.env;
    const listed = await promisify(execFile)(join(folder, "bin/berth"), ["users", "list"], { env: { PATH } });
    expect(listed.stdout).toMatch(/^ID +LOGIN .*\n1 +admin /);
  });

  test("the berth command ends quietly where its reader has gone", async () => {
    // `true` has closed the pipe long before the directory answers.
    const line = 'set -o pipefail; "$0" users list | true';
    const ended = await promisify(execFile)("bash", ["-c", line, join(folder, "bin/berth")]);
    expect(ended).toMatchObject({ stdout: "", stderr: "" });
  });

  test("start again leaves what runs alone", async () => {
    const before = pids();
    const again = await command("start.sh");
    expect(again).toMatchObject({ code: 0 });
    expect(again.output).toContain("runs already");
    expect(pids()).toEqual(before);
    expect(again.output).toContain(demo);
  });

  test("start with another setting restarts the services and leaves the demo running", async () => {
    const before = pids();
    Object.assign(ENV, { BERTH_LOG_LEVEL: "debug" });
    const changed = await command("start.sh");
    expect(changed).toMatchObject({ code: 0 });
    expect(pids().filter((pid) => before.includes(pid))).toEqual([]);
    expect(changed.output).toContain(demo);
    expect(await page(demo)).toContain("berth-demo");
  });

  test("start refuses to drop a listener that it ran with, and drops one that is set to nothing", async () => {
    const engine = `127.0.0.1:${await freePort()}`;
    const [directory] = pids();
    expect(await startWith({ BERTH_LISTEN: engine })).toMatchObject({ code: 0 });
    // Only the service that has the setting is restarted.
    const before = pids();
    expect(before[0]).toBe(directory);

    const refused = await command("start.sh");
    expect(refused.code).toBe(1);
    expect(refused.output).toContain(`BERTH_LISTEN=${engine}`);
    expect(refused.output).toContain("BERTH_LISTEN= npm start");
    expect(pids()).toEqual(before);

    const dropped = await startWith({ BERTH_LISTEN: "" });
    expect(dropped).toMatchObject({ code: 0 });
    expect(dropped.output).toContain(`BERTH_LISTEN was ${engine}`);
    expect(await command("start.sh")).toMatchObject({ code: 0 });
  });

  test("start names every wrong setting, without a stack, and leaves what runs alone", async () => {
    const before = pids();
    const wrong = await startWith({ BERTH_POOL: "many", BERTH_LAYER_LIMIT: "big", BERTH_AUDIT_DAYS: "0" });
    expect(wrong.code).toBe(1);
    for (const name of ["BERTH_POOL: ", "BERTH_LAYER_LIMIT: ", "BERTH_AUDIT_DAYS: "])
      expect(wrong.output).toContain(name);
    expect(wrong.output).not.toMatch(/^ +at /m);
    expect(pids()).toEqual(before);
  });

  test("stop leaves nothing behind but the state", async () => {
    const stopped = await command("stop.sh");
    expect(stopped).toMatchObject({ code: 0 });
    const traces = await tracesOf({ instance: INSTANCE, state: STATE, run: RUN });
    expect({ ...traces, processes: traces.processes.filter((line) => !line.includes("vitest")) }).toEqual({
      processes: [],
      mounts: [],
      interfaces: [],
      namespaces: [],
      tables: [],
      elements: [],
    });
    expect(existsSync(join(STATE, "admin-token"))).toBe(true);
    expect(await answers(demo)).toBe(false);
  });

  test("stop where nothing runs is no fault, and --purge removes the state", async () => {
    expect(await command("stop.sh")).toMatchObject({ code: 0 });
    expect(await command("stop.sh", "--purge")).toMatchObject({ code: 0 });
    expect(existsSync(STATE)).toBe(false);
    expect(readdirSync(join(folder, "bin"))).toEqual([]);
    expect((await command("stop.sh", "--everything")).code).toBe(1);
  });
});
