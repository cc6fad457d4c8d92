import type { Limit } from "../../engine/host-defaults.ts";
import type { Resources } from "../records/config.ts";

interface Discard {
  readonly limit: Limit;
  readonly asked: (resources: Resources) => boolean;
  readonly instead: Partial<Resources>;
  /** No warning is due if the requested value is the effective one anyway. */
  readonly quiet?: (resources: Resources) => boolean;
  readonly warning: string;
}

function throttle(
  field: "BlkioDeviceReadBps" | "BlkioDeviceWriteBps" | "BlkioDeviceReadIOps" | "BlkioDeviceWriteIOps",
  limit: Limit,
  warning: string,
): Discard {
  return {
    limit,
    asked: (resources) => (resources[field] ?? []).length > 0,
    instead: { [field]: [] },
    warning,
  };
}

/** dockerd's order and messages (moby `verifyPlatformContainerResources`). */
const DISCARDS: readonly Discard[] = [
  {
    limit: "memory",
    asked: ({ Memory }) => Memory > 0,
    instead: { Memory: 0, MemorySwap: -1 },
    warning:
      "Your kernel does not support memory limit capabilities or the cgroup is not mounted. Limitation discarded.",
  },
  {
    limit: "swap",
    asked: ({ Memory, MemorySwap }) => Memory > 0 && MemorySwap !== -1,
    instead: { MemorySwap: -1 },
    warning:
      "Your kernel does not support swap limit capabilities or the cgroup is not mounted. Memory limited without swap.",
  },
  {
    limit: "swappiness",
    asked: ({ MemorySwappiness }) => MemorySwappiness !== null,
    instead: { MemorySwappiness: null },
    warning:
      "Your kernel does not support memory swappiness capabilities or the cgroup is not mounted. Memory swappiness discarded.",
  },
  {
    limit: "memory-reservation",
    asked: ({ MemoryReservation }) => MemoryReservation > 0,
    instead: { MemoryReservation: 0 },
    warning:
      "Your kernel does not support memory soft limit capabilities or the cgroup is not mounted. Limitation discarded.",
  },
  {
    limit: "kernel-memory-tcp",
    asked: ({ KernelMemoryTCP }) => KernelMemoryTCP !== 0,
    instead: { KernelMemoryTCP: 0 },
    warning:
      "Your kernel does not support kernel memory TCP limit capabilities or the cgroup is not mounted. Limitation discarded.",
  },
  {
    limit: "oom-kill-disable",
    asked: ({ OomKillDisable }) => OomKillDisable !== null,
    instead: { OomKillDisable: null },
    quiet: ({ OomKillDisable }) => OomKillDisable === false,
    warning: "Your kernel does not support OomKillDisable. OomKillDisable discarded.",
  },
  {
    limit: "pids",
    asked: ({ PidsLimit }) => PidsLimit !== null,
    instead: { PidsLimit: null },
    quiet: ({ PidsLimit }) => (PidsLimit ?? 0) <= 0,
    warning: "Your kernel does not support PIDs limit capabilities or the cgroup is not mounted. PIDs limit discarded.",
  },
  {
    limit: "cpu-shares",
    asked: ({ CpuShares }) => CpuShares > 0,
    instead: { CpuShares: 0 },
    warning: "Your kernel does not support CPU shares or the cgroup is not mounted. Shares discarded.",
  },
  {
    limit: "cpu-quota",
    asked: ({ CpuPeriod, CpuQuota }) => CpuPeriod !== 0 || CpuQuota !== 0,
    instead: { CpuPeriod: 0, CpuQuota: 0 },
    warning: "Your kernel does not support CPU CFS scheduler. CPU period/quota discarded.",
  },
  {
    limit: "cpuset",
    asked: ({ CpusetCpus, CpusetMems }) => CpusetCpus !== "" || CpusetMems !== "",
    instead: { CpusetCpus: "", CpusetMems: "" },
    warning: "Your kernel does not support cpuset or the cgroup is not mounted. Cpuset discarded.",
  },
  {
    limit: "blkio-weight",
    asked: ({ BlkioWeight }) => BlkioWeight > 0,
    instead: { BlkioWeight: 0 },
    warning: "Your kernel does not support Block I/O weight or the cgroup is not mounted. Weight discarded.",
  },
  {
    limit: "blkio-weight-device",
    asked: ({ BlkioWeightDevice }) => (BlkioWeightDevice ?? []).length > 0,
    instead: { BlkioWeightDevice: [] },
    warning:
      "Your kernel does not support Block I/O weight_device or the cgroup is not mounted. Weight-device discarded.",
  },
  throttle(
    "BlkioDeviceReadBps",
    "blkio-read-bytes",
    "Your kernel does not support BPS Block I/O read limit or the cgroup is not mounted. Block I/O BPS read limit discarded.",
  ),
  throttle(
    "BlkioDeviceWriteBps",
    "blkio-write-bytes",
    "Your kernel does not support BPS Block I/O write limit or the cgroup is not mounted. Block I/O BPS write limit discarded.",
  ),
  throttle(
    "BlkioDeviceReadIOps",
    "blkio-read-operations",
    "Your kernel does not support IOPS Block read limit or the cgroup is not mounted. Block I/O IOPS read limit discarded.",
  ),
  throttle(
    "BlkioDeviceWriteIOps",
    "blkio-write-operations",
    "Your kernel does not support IOPS Block write limit or the cgroup is not mounted. Block I/O IOPS write limit discarded.",
  ),
];

/** Every limit. */
export const ALL_LIMITS: ReadonlySet<Limit> = new Set(DISCARDS.map(({ limit }) => limit));

/** Drops limits that the host does not support from a create or update, with a warning for each, before the rules run (as dockerd does). */
export function discardLimits<R extends Resources>(
  resources: R,
  kept: ReadonlySet<Limit>,
): { readonly resources: R; readonly warnings: readonly string[] } {
  let remaining = resources;
  const warnings: string[] = [];
  for (const { limit, asked, instead, quiet, warning } of DISCARDS) {
    if (kept.has(limit) || !asked(remaining)) continue;
    if (!quiet?.(remaining)) warnings.push(warning);
    remaining = { ...remaining, ...instead };
  }
  return { resources: remaining, warnings };
}
