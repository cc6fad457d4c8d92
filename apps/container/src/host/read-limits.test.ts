import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { readLimits } from "./read-limits.ts";

it.each([
  ["nothing mounted", {}, []],
  ["half of what it needs", { "cpu/cpu.cfs_quota_us": "-1" }, []],
  [
    "version 1",
    { "cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000", "blkio/blkio.weight": "500", "pids/tasks": "" },
    ["pids", "cpu-quota", "blkio-weight"],
  ],
  [
    "version 2",
    { "cgroup.controllers": "cpuset memory hugetlb\n" },
    ["cpuset", "memory", "swap", "memory-reservation"],
  ],
])("reads the supported limits: %s", async (_, files, limits) => {
  const root = await mkdtemp(join(tmpdir(), "berth-cgroups-"));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  expect(await readLimits(root)).toEqual(new Set(limits));
  await rm(root, { recursive: true });
});
