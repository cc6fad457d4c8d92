import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { holdFolder } from "./hold-folder.ts";

let parent: string;
let folder: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "berth-hold-"));
  folder = join(parent, "state");
});
afterEach(() => rm(parent, { recursive: true }));

it("is locked by one holder until it releases it, and the error names the holder", async () => {
  const first = await holdFolder(folder, "a test");
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  await expect(holdFolder(folder, "a test")).rejects.toThrow(
    `state is in use: a test runs on it already (process ${process.pid})`,
  );
  await first.release();
  await (await holdFolder(folder, "a test")).release();
});

it("is locked by exactly one of many that try at once", async () => {
  const tries = await Promise.allSettled(Array.from({ length: 8 }, () => holdFolder(folder, "a test")));
  const held = tries.filter((one) => one.status === "fulfilled");
  expect(held).toHaveLength(1);
  await held[0]?.value.release();
});

it("is unlocked when the process that held it is killed", async () => {
  await mkdir(folder);
  const script = 'exec 9>>"$1" && flock -n 9 && echo 1 >&9 && echo held && exec sleep 600';
  const other = spawn("sh", ["-c", script, "sh", join(folder, "lock")], { stdio: ["ignore", "pipe", "ignore"] });
  await once(other.stdout, "data");
  await expect(holdFolder(folder, "a test")).rejects.toThrow("(process 1)");
  other.kill("SIGKILL");
  await once(other, "close");
  await (await holdFolder(folder, "a test")).release();
});
