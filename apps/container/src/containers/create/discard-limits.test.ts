import { describe, expect, it } from "vitest";
import type { Limit } from "../../engine/host-defaults.ts";
import { someHostConfig } from "../records/container.testing.ts";
import { ALL_LIMITS, discardLimits } from "./discard-limits.ts";

function without(limit: Limit) {
  return new Set([...ALL_LIMITS].filter((kept) => kept !== limit));
}
const RATES = [{ Path: "/dev/sda", Rate: 1 }];

describe("discardLimits", () => {
  it.each<[Limit, object, object, string]>([
    ["memory", { Memory: 8e6, MemorySwap: 1e7 }, { Memory: 0, MemorySwap: -1 }, "memory limit capabilities"],
    ["swap", { Memory: 8e6, MemorySwap: 1e7 }, { Memory: 8e6, MemorySwap: -1 }, "Memory limited without swap."],
    ["swappiness", { MemorySwappiness: 0 }, { MemorySwappiness: null }, "Memory swappiness discarded."],
    ["memory-reservation", { MemoryReservation: 8e6 }, { MemoryReservation: 0 }, "memory soft limit capabilities"],
    ["oom-kill-disable", { OomKillDisable: true }, { OomKillDisable: null }, "OomKillDisable discarded."],
    ["pids", { PidsLimit: 10 }, { PidsLimit: null }, "PIDs limit discarded."],
    ["cpu-shares", { CpuShares: 10 }, { CpuShares: 0 }, "Shares discarded."],
    ["cpu-quota", { CpuQuota: 5000 }, { CpuQuota: 0, CpuPeriod: 0 }, "CPU period/quota discarded."],
    ["cpuset", { CpusetMems: "0" }, { CpusetCpus: "", CpusetMems: "" }, "Cpuset discarded."],
    ["blkio-weight", { BlkioWeight: 100 }, { BlkioWeight: 0 }, "Weight discarded."],
    [
      "blkio-weight-device",
      { BlkioWeightDevice: [{ Path: "/dev/sda", Weight: 200 }] },
      { BlkioWeightDevice: [] },
      "Weight-device discarded.",
    ],
    ["blkio-read-bytes", { BlkioDeviceReadBps: RATES }, { BlkioDeviceReadBps: [] }, "BPS read limit discarded."],
    ["blkio-write-bytes", { BlkioDeviceWriteBps: RATES }, { BlkioDeviceWriteBps: [] }, "BPS write limit discarded."],
    [
      "blkio-read-operations",
      { BlkioDeviceReadIOps: RATES },
      { BlkioDeviceReadIOps: [] },
      "IOPS read limit discarded.",
    ],
    [
      "blkio-write-operations",
      { BlkioDeviceWriteIOps: RATES },
      { BlkioDeviceWriteIOps: [] },
      "IOPS write limit discarded.",
    ],
  ])("warns about %s if it is requested and the host does not support it", (limit, asked, instead, warning) => {
    const config = someHostConfig(asked);
    const discarded = discardLimits(config, without(limit));
    expect(discarded).toEqual({ resources: { ...config, ...instead }, warnings: [expect.stringContaining(warning)] });
    expect(discardLimits(config, ALL_LIMITS)).toEqual({ resources: config, warnings: [] });
    expect(discardLimits(someHostConfig(), without(limit)).warnings).toEqual([]);
  });

  it.each([[{ OomKillDisable: false }], [{ PidsLimit: -1 }], [{ Memory: 8e6, MemorySwap: -1 }]])(
    "says nothing where %j is so anyway",
    (asked) => {
      const kept = new Set([...ALL_LIMITS].filter((limit) => !["oom-kill-disable", "pids", "swap"].includes(limit)));
      expect(discardLimits(someHostConfig(asked), kept).warnings).toEqual([]);
    },
  );

  it("lists discarded limits in dockerd's order", () => {
    const { warnings } = discardLimits(someHostConfig({ BlkioWeight: 5, PidsLimit: 1, Memory: 8e6 }), new Set());
    expect(warnings).toEqual([
      "Your kernel does not support memory limit capabilities or the cgroup is not mounted. Limitation discarded.",
      "Your kernel does not support PIDs limit capabilities or the cgroup is not mounted. PIDs limit discarded.",
      "Your kernel does not support Block I/O weight or the cgroup is not mounted. Weight discarded.",
    ]);
  });
});
