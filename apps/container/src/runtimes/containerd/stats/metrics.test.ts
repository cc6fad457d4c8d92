import { totalmem } from "node:os";
import { describe, expect, it } from "vitest";
import { encodeMessage } from "../client/protos.testing.ts";
import { statsOf } from "./metrics.ts";

const TIMESTAMP = { seconds: 1, nanos: 5 };
const READ = "1970-01-01T00:00:01.000000005Z";

describe("statsOf", () => {
  it("reads version 1", () => {
    const data = encodeMessage("io.containerd.cgroups.v1.Metrics", {
      pids: { current: 2, limit: 10 },
      cpu: {
        usage: { total: 30, kernel: 10, user: 20, perCpu: [14, 16] },
        throttling: { periods: 1, throttledPeriods: 2, throttledTime: 3 },
      },
      memory: { pgPgIn: 7, pgMajFault: 8, totalInactiveFile: 9, usage: { limit: 4096, usage: 5, max: 6, failcnt: 1 } },
      blkio: { ioServiceBytesRecursive: [{ op: "Read", major: 8, minor: 0, value: 512 }] },
    });
    expect(statsOf({ timestamp: TIMESTAMP, data })).toEqual({
      read: READ,
      pids: { current: 2, limit: 10 },
      cpu: {
        total: 30,
        kernel: 10,
        user: 20,
        perCpu: [14, 16],
        throttling: { periods: 1, throttledPeriods: 2, throttledTime: 3 },
      },
      memory: {
        usage: 5,
        maxUsage: 6,
        limit: 4096,
        failcnt: 1,
        stats: expect.objectContaining({ pgpgin: 7, pgmajfault: 8, total_inactive_file: 9 }),
      },
      blkio: [{ op: "Read", major: 8, minor: 0, value: 512 }],
    });
  });

  it("reads version 2", () => {
    const data = encodeMessage("io.containerd.cgroups.v2.Metrics", {
      pids: { current: 2, limit: 0 },
      cpu: { usageUsec: 30, userUsec: 20, systemUsec: 10, nrPeriods: 1, nrThrottled: 2, throttledUsec: 3 },
      memory: { usage: 5, usageLimit: 4096, inactiveFile: 9 },
      io: { usage: [{ major: 8, minor: 1, rbytes: 10, wbytes: 20 }] },
    });
    expect(statsOf({ timestamp: TIMESTAMP, data })).toEqual({
      read: READ,
      pids: { current: 2, limit: undefined },
      cpu: {
        total: 30_000,
        user: 20_000,
        kernel: 10_000,
        perCpu: [],
        throttling: { periods: 1, throttledPeriods: 2, throttledTime: 3000 },
      },
      memory: { usage: 5, maxUsage: 0, limit: 4096, failcnt: 0, stats: expect.objectContaining({ inactive_file: 9 }) },
      blkio: [
        { op: "read", major: 8, minor: 1, value: 10 },
        { op: "write", major: 8, minor: 1, value: 20 },
      ],
    });
  });

  it("shows the machine's memory where nothing limits it, and no limit of processes", () => {
    const usage = { limit: 2 ** 63 - 4096, usage: 1 };
    const data = encodeMessage("io.containerd.cgroups.v1.Metrics", {
      memory: { usage },
      pids: { current: 1, limit: 0 },
    });
    expect(statsOf({ timestamp: TIMESTAMP, data })).toMatchObject({
      memory: { limit: totalmem() },
      pids: { limit: undefined },
    });
  });

  it("refuses what it does not know", () => {
    const data = { type_url: "io.example.Metrics", value: Buffer.alloc(0) };
    expect(() => statsOf({ timestamp: TIMESTAMP, data })).toThrow(expect.objectContaining({ kind: "unsupported" }));
  });
});
