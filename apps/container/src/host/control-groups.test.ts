import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { limitGroup, makeLeaf, removeGroup } from "./control-groups.ts";

const ROOT = "/sys/fs/cgroup";
const NAME = `berth-test-${process.pid}/place`;
const MIB = 2 ** 20;
/** A unified host has all limits in one folder. */
const UNIFIED = existsSync(join(ROOT, "cgroup.controllers"));

afterEach(() => removeGroup(`berth-test-${process.pid}`));

async function limitsOf(name: string): Promise<readonly string[]> {
  const files = UNIFIED
    ? [`${name}/memory.max`, `${name}/pids.max`, `${name}/cpu.max`]
    : [`memory/${name}/memory.limit_in_bytes`, `pids/${name}/pids.max`, `cpu/${name}/cpu.cfs_quota_us`];
  return await Promise.all(files.map(async (file) => (await readFile(join(ROOT, file), "utf8")).trim()));
}

test.each([
  ["raises", { memory: 64 * MIB, cpus: 0.5, pids: 10 }, { memory: 128 * MIB, cpus: 1.5, pids: 20 }],
  ["lowers", { memory: 128 * MIB, cpus: 1.5, pids: 20 }, { memory: 64 * MIB, cpus: 0.5, pids: 10 }],
])("%s the limits of a group that is there", async (_, first, second) => {
  await limitGroup(NAME, first);
  await limitGroup(NAME, second);
  const cpu = `${second.cpus * 100_000}`;
  expect(await limitsOf(NAME)).toEqual([`${second.memory}`, `${second.pids}`, UNIFIED ? `${cpu} 100000` : cpu]);
});

test("ends what runs in a group and below it, and removes them", async () => {
  await limitGroup(NAME, { memory: 64 * MIB, cpus: undefined, pids: 10 });
  await limitGroup(`${NAME}/inner`, { memory: 32 * MIB, cpus: undefined, pids: 5 });
  const sleeper = spawn("sleep", ["300"]);
  await once(sleeper, "spawn");
  for (const file of await makeLeaf(`${NAME}/inner`, "leaf")) await writeFile(file, String(sleeper.pid));
  const ended = once(sleeper, "exit");
  await removeGroup(NAME);
  expect(await ended).toEqual([null, "SIGKILL"]);
  await expect(limitsOf(NAME)).rejects.toMatchObject({ code: "ENOENT" });
  await removeGroup(NAME);
});
