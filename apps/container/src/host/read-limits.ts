import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Limit } from "../engine/host-defaults.ts";

/** The cgroup v1 files that must all exist for a limit to be supported (moby `pkg/sysinfo`). */
const FILES: readonly (readonly [Limit, readonly string[]])[] = [
  ["memory", ["memory/memory.limit_in_bytes"]],
  ["swap", ["memory/memory.memsw.limit_in_bytes"]],
  ["swappiness", ["memory/memory.swappiness"]],
  ["memory-reservation", ["memory/memory.soft_limit_in_bytes"]],
  ["kernel-memory-tcp", ["memory/memory.kmem.tcp.limit_in_bytes"]],
  ["oom-kill-disable", ["memory/memory.oom_control"]],
  ["pids", ["pids"]],
  ["cpu-shares", ["cpu/cpu.shares"]],
  ["cpu-quota", ["cpu/cpu.cfs_period_us", "cpu/cpu.cfs_quota_us"]],
  ["cpuset", ["cpuset/cpuset.cpus", "cpuset/cpuset.mems"]],
  ["blkio-weight", ["blkio/blkio.weight"]],
  ["blkio-weight-device", ["blkio/blkio.weight_device"]],
  ["blkio-read-bytes", ["blkio/blkio.throttle.read_bps_device"]],
  ["blkio-write-bytes", ["blkio/blkio.throttle.write_bps_device"]],
  ["blkio-read-operations", ["blkio/blkio.throttle.read_iops_device"]],
  ["blkio-write-operations", ["blkio/blkio.throttle.write_iops_device"]],
];

/** The limits that each cgroup v2 controller supports. v2 has no swappiness, no limit of TCP buffers and no switch for the OOM killer. */
const CONTROLLERS: Readonly<Record<string, readonly Limit[]>> = {
  memory: ["memory", "swap", "memory-reservation"],
  pids: ["pids"],
  cpu: ["cpu-shares", "cpu-quota"],
  cpuset: ["cpuset"],
  io: ["blkio-weight", "blkio-read-bytes", "blkio-write-bytes", "blkio-read-operations", "blkio-write-operations"],
};

/**
 * Reads which of Docker's limits the cgroups mounted at `root` support. With cgroup v2 that never includes the weight of a block
 * device, which depends on the device's scheduler.
 */
export async function readLimits(root: string): Promise<ReadonlySet<Limit>> {
  const unified = await readFile(join(root, "cgroup.controllers"), "utf8").catch(() => undefined);
  if (unified !== undefined)
    return new Set(
      unified
        .trim()
        .split(/\s+/)
        .flatMap((name) => CONTROLLERS[name] ?? []),
    );
  const isThere = (file: string) =>
    access(join(root, file)).then(
      () => true,
      () => false,
    );
  const kept = await Promise.all(
    FILES.map(async ([limit, needed]) => ((await Promise.all(needed.map(isThere))).every(Boolean) ? [limit] : [])),
  );
  return new Set(kept.flat());
}
