import { execFile, execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

// A first start where the disk has no room for it.

const ROOT = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "berth-first-start-"));
const state = join(folder, "state");

beforeAll(() => {
  chmodSync(folder, 0o711);
  mkdirSync(state);
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=24m,mode=711", "tmpfs", state]);
});
afterAll(() => {
  execFileSync("umount", ["--lazy", state]);
  rmSync(folder, { recursive: true });
});

function run(script: string, ...args: readonly string[]) {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    BERTH_CONF: "/dev/null",
    BERTH_STATE: state,
    BERTH_RUN: join(folder, "run"),
    BERTH_DIRECTORY_LISTEN: "127.0.0.1:0",
  };
  return new Promise<{ code: number; output: string }>((settle) => {
    execFile("bash", [join(ROOT, "scripts", script), ...args], { env }, (failure, stdout, stderr) =>
      settle({ code: failure === null ? 0 : Number(failure.code ?? 1), output: stdout + stderr }),
    );
  });
}

test("npm start refuses, names the folder and what is needed, and changes nothing", async () => {
  const { code, output } = await run("start.sh");
  expect(output).toMatch(/FAIL +disk +24 MiB free for .*\/state; Berth needs 512 MiB for its first start/);
  expect(output).toContain("not started; nothing was changed");
  expect(code).toBe(1);
  expect(readdirSync(state)).toEqual([]);
  expect(existsSync(join(folder, "run"))).toBe(false);
});

test("a Postgres that runs out of space in its first start is made anew once there is some", async () => {
  const refused = await run("postgres.sh", "start");
  expect(refused.output).toContain("is full. Free some space and start again");
  expect(refused.code).not.toBe(0);
  expect(existsSync(join(state, "postgres/data"))).toBe(false);
  execFileSync("mount", ["-o", "remount,size=300m", state]);
  expect(await run("postgres.sh", "start")).toMatchObject({ code: 0 });
  expect(await run("postgres.sh", "stop")).toMatchObject({ code: 0 });
});
