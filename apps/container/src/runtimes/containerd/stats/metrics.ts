import type { RuntimeStats } from "../../../containers/records/runtime-stats.ts";
import { EngineError } from "../../../engine/errors.ts";
import { decodeAny, formatTimestamp, type MessageOf } from "../client/protos.ts";
import type { Metric } from "../client/tasks.ts";
import { limitOf, memoryLimitOf } from "./limits.ts";

/** A task's metrics, of either version of control groups, in one form. */
export function statsOf({ timestamp, data }: Pick<Metric, "timestamp" | "data">): RuntimeStats {
  const read = formatTimestamp(timestamp) ?? new Date().toISOString();
  if (data === null) throw new EngineError("failed", "containerd gave no metrics");
  const v2 = decodeAny(data, "io.containerd.cgroups.v2.Metrics");
  if (v2 !== undefined) return statsOfV2(read, v2);
  const v1 = decodeAny(data, "io.containerd.cgroups.v1.Metrics");
  if (v1 !== undefined) return statsOfV1(read, v1);
  throw new EngineError("unsupported", `containerd gives metrics as ${data.type_url}`);
}

function statsOfV1(
  read: string,
  { pids, cpu, memory, blkio }: MessageOf<"io.containerd.cgroups.v1.Metrics">,
): RuntimeStats {
  return {
    read,
    pids: { current: pids?.current ?? 0, limit: limitOf(pids?.limit) },
    cpu: {
      total: cpu?.usage?.total ?? 0,
      user: cpu?.usage?.user ?? 0,
      kernel: cpu?.usage?.kernel ?? 0,
      perCpu: cpu?.usage?.perCpu ?? [],
      throttling: {
        periods: cpu?.throttling?.periods ?? 0,
        throttledPeriods: cpu?.throttling?.throttledPeriods ?? 0,
        throttledTime: cpu?.throttling?.throttledTime ?? 0,
      },
    },
    memory: {
      usage: memory?.usage?.usage ?? 0,
      maxUsage: memory?.usage?.max ?? 0,
      limit: memoryLimitOf(memory?.usage?.limit),
      failcnt: memory?.usage?.failcnt ?? 0,
      stats: kernelNames(memory ?? {}),
    },
    blkio: (blkio?.ioServiceBytesRecursive ?? []).map(({ op, major, minor, value }) => ({ op, major, minor, value })),
  };
}

function statsOfV2(
  read: string,
  { pids, cpu, memory, io }: MessageOf<"io.containerd.cgroups.v2.Metrics">,
): RuntimeStats {
  const { usage = 0, usageLimit = 0, ...stats } = memory ?? {};
  return {
    read,
    pids: { current: pids?.current ?? 0, limit: limitOf(pids?.limit) },
    cpu: {
      total: (cpu?.usageUsec ?? 0) * 1000,
      user: (cpu?.userUsec ?? 0) * 1000,
      kernel: (cpu?.systemUsec ?? 0) * 1000,
      perCpu: [],
      throttling: {
        periods: cpu?.nrPeriods ?? 0,
        throttledPeriods: cpu?.nrThrottled ?? 0,
        throttledTime: (cpu?.throttledUsec ?? 0) * 1000,
      },
    },
    memory: { usage, maxUsage: 0, limit: memoryLimitOf(usageLimit), failcnt: 0, stats: kernelNames(stats) },
    blkio: (io?.usage ?? []).flatMap(({ major, minor, rbytes, wbytes }) => [
      { op: "read", major, minor, value: rbytes },
      { op: "write", major, minor, value: wbytes },
    ]),
  };
}

/** The counters by the names that the kernel's memory.stat and Docker give them: `total_inactive_file`. */
function kernelNames(memory: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(memory).flatMap(([name, value]) => (typeof value === "number" ? [[kernelNameOf(name), value]] : [])),
  );
}

/** By the protocol's names, which are few. */
const KERNEL_NAMES = new Map<string, string>();

function kernelNameOf(name: string): string {
  const known = KERNEL_NAMES.get(name);
  if (known !== undefined) return known;
  const made = name
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    .replace("pg_pg_", "pgpg")
    .replace("pg_fault", "pgfault")
    .replace("pg_maj_fault", "pgmajfault")
    .replace("hierarchical_swap_limit", "hierarchical_memsw_limit");
  KERNEL_NAMES.set(name, made);
  return made;
}
