import type { RuntimeStats } from "../../containers/records/runtime-stats.ts";
import { ZERO_TIME } from "../../engine/moment.ts";
import type { InterfaceCounters } from "../../host/host.ts";

/** One measurement of a container and its host. */
export interface Sample {
  readonly stats: RuntimeStats | undefined;
  /** Nanoseconds of CPU time that the whole host has used. */
  readonly systemCpu: number;
  readonly cpus: number;
  /** The host's memory in bytes: the limit of a container without one. */
  readonly hostMemory: number;
  /** Undefined or empty if the container has no network of its own. */
  readonly interfaces: Readonly<Record<string, InterfaceCounters>> | undefined;
}

function cpuShape(sample: Sample | undefined) {
  const cpu = sample?.stats?.cpu;
  return {
    cpu_usage: {
      total_usage: cpu?.total ?? 0,
      ...(cpu !== undefined && cpu.perCpu.length > 0 && { percpu_usage: cpu.perCpu }),
      usage_in_kernelmode: cpu?.kernel ?? 0,
      usage_in_usermode: cpu?.user ?? 0,
    },
    ...(cpu !== undefined && { system_cpu_usage: sample?.systemCpu ?? 0, online_cpus: sample?.cpus ?? 0 }),
    throttling_data: {
      periods: cpu?.throttling.periods ?? 0,
      throttled_periods: cpu?.throttling.throttledPeriods ?? 0,
      throttled_time: cpu?.throttling.throttledTime ?? 0,
    },
  };
}

function blkioShape(stats: RuntimeStats | undefined) {
  const none = stats === undefined ? null : [];
  return {
    io_service_bytes_recursive: stats === undefined ? null : stats.blkio,
    io_serviced_recursive: none,
    io_queue_recursive: none,
    io_service_time_recursive: none,
    io_wait_time_recursive: none,
    io_merged_recursive: none,
    io_time_recursive: none,
    sectors_recursive: none,
  };
}

function memoryShape({ stats, hostMemory }: Sample) {
  if (stats === undefined) return {};
  const { usage, maxUsage, limit, failcnt } = stats.memory;
  return {
    usage,
    ...(maxUsage > 0 && { max_usage: maxUsage }),
    stats: stats.memory.stats,
    ...(failcnt > 0 && { failcnt }),
    limit: Math.min(limit, hostMemory),
  };
}

/** One object of `GET /containers/{id}/stats`; all zero for a stopped container, as in dockerd. */
export function statsShape(
  container: { readonly id: string; readonly name: string },
  { now, before }: { readonly now: Sample; readonly before: Sample | undefined },
) {
  return {
    read: now.stats?.read ?? ZERO_TIME,
    preread: before?.stats?.read ?? ZERO_TIME,
    pids_stats:
      now.stats === undefined
        ? {}
        : {
            current: now.stats.pids.current,
            ...(now.stats.pids.limit !== undefined && { limit: now.stats.pids.limit }),
          },
    blkio_stats: blkioShape(now.stats),
    num_procs: 0,
    storage_stats: {},
    cpu_stats: cpuShape(now),
    precpu_stats: cpuShape(before),
    memory_stats: memoryShape(now),
    name: `/${container.name}`,
    id: container.id,
    ...(now.interfaces !== undefined && Object.keys(now.interfaces).length > 0 && { networks: now.interfaces }),
  };
}
