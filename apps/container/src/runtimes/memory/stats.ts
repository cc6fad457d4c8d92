import type { SpecResources } from "../../containers/records/runtime.ts";
import type { RuntimeStats } from "../../containers/records/runtime-stats.ts";

/** What a process that does nothing would show under these limits. */
export function memoryStats({ memory = 0, pidsLimit }: SpecResources): RuntimeStats {
  return {
    read: new Date().toISOString(),
    pids: { current: 1, limit: pidsLimit },
    cpu: {
      total: 0,
      user: 0,
      kernel: 0,
      perCpu: [],
      throttling: { periods: 0, throttledPeriods: 0, throttledTime: 0 },
    },
    memory: { usage: 4096, maxUsage: 4096, limit: memory, failcnt: 0, stats: {} },
    blkio: [],
  };
}
