import { totalmem } from "node:os";
import type { RuntimeStats } from "../../../containers/records/runtime.ts";
import { EngineError } from "../../../engine/errors.ts";
import { type Any, decodeAny, formatTimestamp, type Timestamp } from "../client/protos.ts";

interface V1Entry {
  readonly limit: number;
  readonly usage: number;
  readonly max: number;
  readonly failcnt: number;
}

interface V1Metrics {
  readonly pids: { readonly current: number; readonly limit: number } | null;
  readonly cpu: {
    readonly usage: {
      readonly total: number;
      readonly kernel: number;
      readonly user: number;
      readonly perCpu: number[];
    } | null;
    readonly throttling: {
      readonly periods: number;
      readonly throttledPeriods: number;
      readonly throttledTime: number;
    } | null;
  } | null;
  readonly memory: (Readonly<Record<string, unknown>> & { readonly usage: V1Entry | null }) | null;
  readonly blkio: {
    readonly ioServiceBytesRecursive: readonly {
      readonly op: string;
      readonly major: number;
      readonly minor: number;
      readonly value: number;
    }[];
  } | null;
}

interface V2Metrics {
  readonly pids: { readonly current: number; readonly limit: number } | null;
  readonly cpu: Readonly<
    Record<"usageUsec" | "userUsec" | "systemUsec" | "nrPeriods" | "nrThrottled" | "throttledUsec", number>
  > | null;
  readonly memory: Readonly<Record<string, number>> | null;
  readonly io: {
    readonly usage: readonly {
      readonly major: number;
      readonly minor: number;
      readonly rbytes: number;
      readonly wbytes: number;
    }[];
  } | null;
}

/** A task's metrics, of either version of control groups, in one form. */
export function statsOf(metric: { readonly timestamp: Timestamp | null; readonly data: Any }): RuntimeStats {
  const read = formatTimestamp(metric.timestamp) ?? new Date().toISOString();
  const metrics = decodeAny(metric.data);
  if (metric.data.type_url.endsWith("io.containerd.cgroups.v1.Metrics")) return statsOfV1(read, metrics as V1Metrics);
  if (metric.data.type_url.endsWith("io.containerd.cgroups.v2.Metrics")) return statsOfV2(read, metrics as V2Metrics);
  throw new EngineError("unsupported", `containerd gives metrics as ${metric.data.type_url}`);
}

/** The kernel's word for "no limit" is a number near 2^63 or 0. */
function limitOf(limit: number | undefined): number | undefined {
  return limit === undefined || limit === 0 || limit >= 2 ** 62 ? undefined : limit;
}

/** Docker shows the machine's memory where nothing less limits a container. */
function memoryLimitOf(limit: number | undefined): number {
  return Math.min(limitOf(limit) ?? totalmem(), totalmem());
}

function statsOfV1(read: string, { pids, cpu, memory, blkio }: V1Metrics): RuntimeStats {
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

function statsOfV2(read: string, { pids, cpu, memory, io }: V2Metrics): RuntimeStats {
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
    Object.entries(memory).flatMap(([name, value]) => (typeof value === "number" ? [[kernelName(name), value]] : [])),
  );
}

function kernelName(name: string): string {
  return name
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    .replace("pg_pg_", "pgpg")
    .replace("pg_fault", "pgfault")
    .replace("pg_maj_fault", "pgmajfault")
    .replace("hierarchical_swap_limit", "hierarchical_memsw_limit");
}
