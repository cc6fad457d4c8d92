import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeMessage } from "../client/protos.testing.ts";
import { readGroupStats } from "./group-stats.ts";
import { statsOf } from "./metrics.ts";

const FILES = {
  "cpuacct/cpuacct.usage": "44768106\n",
  "cpuacct/cpuacct.usage_percpu": "8064898 36703208 \n",
  "cpuacct/cpuacct.stat": "user 1\nsystem 4\n",
  "cpu/cpu.stat": "nr_periods 5\nnr_throttled 2\nthrottled_time 700\nnr_bursts 0\nburst_time 0\n",
  "memory/memory.stat":
    "cache 1\nrss 2\nshmem 3\nhierarchical_memsw_limit 9223372036854771712\ntotal_inactive_file 6\n",
  "memory/memory.usage_in_bytes": "4096\n",
  "memory/memory.max_usage_in_bytes": "8192\n",
  "memory/memory.failcnt": "3\n",
  "memory/memory.limit_in_bytes": "16384\n",
  "pids/pids.current": "7\n",
  "pids/pids.max": "20\n",
  "blkio/blkio.throttle.io_service_bytes": "8:0 Read 512\n8:0 Write 1024\nTotal 1536\n",
};
const CONTROLLERS = ["cpuacct", "cpu", "memory", "pids", "blkio"];

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "berth-groups-"));
});
afterAll(() => rm(dir, { recursive: true }));

async function groupsOf(name: string, files: Readonly<Record<string, string>>) {
  for (const controller of CONTROLLERS) await mkdir(join(dir, name, controller), { recursive: true });
  for (const [path, text] of Object.entries(files)) await writeFile(join(dir, name, path), text);
  return Object.fromEntries(CONTROLLERS.map((controller) => [controller, join(dir, name, controller)]));
}

describe("readGroupStats", () => {
  it("reads the files of every controller", async () => {
    expect(readGroupStats(await groupsOf("all", FILES), "now")).toEqual({
      read: "now",
      pids: { current: 7, limit: 20 },
      cpu: {
        total: 44_768_106,
        user: 10_000_000,
        kernel: 40_000_000,
        perCpu: [8_064_898, 36_703_208],
        throttling: { periods: 5, throttledPeriods: 2, throttledTime: 700 },
      },
      memory: {
        usage: 4096,
        maxUsage: 8192,
        limit: 16_384,
        failcnt: 3,
        stats: expect.objectContaining({ cache: 1, rss: 2, total_inactive_file: 6, pgfault: 0 }),
      },
      blkio: [
        { op: "Read", major: 8, minor: 0, value: 512 },
        { op: "Write", major: 8, minor: 0, value: 1024 },
      ],
    });
  });

  it("has the counters of memory that containerd's metrics have", async () => {
    const data = encodeMessage("io.containerd.cgroups.v1.Metrics", { memory: {} });
    const told = statsOf({ timestamp: null, data });
    const own = readGroupStats(await groupsOf("counters", FILES), "now");
    expect(Object.keys(own?.memory.stats ?? {}).sort()).toEqual(Object.keys(told.memory.stats).sort());
  });

  it("shows the machine's memory where nothing limits it, and no limit of processes", async () => {
    const unlimited = { "memory/memory.limit_in_bytes": "9223372036854771712\n", "pids/pids.max": "max\n" };
    expect(readGroupStats(await groupsOf("unlimited", { ...FILES, ...unlimited }), "now")).toMatchObject({
      memory: { limit: totalmem() },
      pids: { limit: undefined },
    });
  });

  it("tells nothing of groups that are gone, or without a controller", async () => {
    const { memory: _, ...folders } = await groupsOf("some", FILES);
    expect(readGroupStats(folders, "now")).toBeUndefined();
    expect(readGroupStats(await groupsOf("empty", {}), "now")).toBeUndefined();
  });
});
