import type { RuntimeStats } from "../../../containers/records/runtime-stats.ts";
import { readProc } from "../../../host/read-proc.ts";
import { limitOf, memoryLimitOf } from "./limits.ts";

/** The folders of a task's control groups of version 1, by controller. */
export type GroupFolders = Readonly<Record<string, string>>;

/** Of `cpuacct.stat`: USER_HZ is 100. */
const NANOSECONDS_PER_TICK = 10_000_000;

const COUNTERS =
  "cache rss rss_huge mapped_file dirty writeback pgpgin pgpgout pgfault pgmajfault inactive_anon active_anon inactive_file active_file unevictable";

/** What containerd passes on of `memory.stat`, and dockerd shows. */
const SHOWN = [
  ...COUNTERS.split(" "),
  "hierarchical_memory_limit",
  "hierarchical_memsw_limit",
  ...COUNTERS.split(" ").map((name) => `total_${name}`),
];

/** Lines of a word and a number. */
function countersOf(text: string): ReadonlyMap<string, number> {
  return new Map(
    text.split("\n").map((line) => {
      const space = line.indexOf(" ");
      return [line.slice(0, space), Number(line.slice(space + 1))] as const;
    }),
  );
}

/** Lines `8:0 Read 512`, without the sum of all. */
function transfersOf(text: string): RuntimeStats["blkio"] {
  return [...text.matchAll(/^(\d+):(\d+) (\w+) (\d+)$/gm)].map(([, major, minor, op = "", value]) => ({
    op,
    major: Number(major),
    minor: Number(minor),
    value: Number(value),
  }));
}

/**
 * What the processes of control groups (version 1) use, in the form that containerd's metrics give (its `cgroups` package). Undefined
 * where the groups are gone, or a controller is missing.
 *
 * @param read the moment, in RFC 3339
 */
export function readGroupStats(folders: GroupFolders, read: string): RuntimeStats | undefined {
  const text = (controller: string, file: string): string =>
    (folders[controller] === undefined ? undefined : readProc(`${folders[controller]}/${controller}.${file}`)) ?? "";
  const [usage, memory] = [text("cpuacct", "usage"), text("memory", "stat")];
  if (usage === "" || memory === "") return undefined;
  const ticks = countersOf(text("cpuacct", "stat"));
  const throttling = countersOf(text("cpu", "stat"));
  const counters = countersOf(memory);
  return {
    read,
    pids: { current: Number(text("pids", "current")), limit: limitOf(Number(text("pids", "max"))) },
    cpu: {
      total: Number(usage),
      user: (ticks.get("user") ?? 0) * NANOSECONDS_PER_TICK,
      kernel: (ticks.get("system") ?? 0) * NANOSECONDS_PER_TICK,
      perCpu: text("cpuacct", "usage_percpu").trim().split(" ").map(Number),
      throttling: {
        periods: throttling.get("nr_periods") ?? 0,
        throttledPeriods: throttling.get("nr_throttled") ?? 0,
        throttledTime: throttling.get("throttled_time") ?? 0,
      },
    },
    memory: {
      usage: Number(text("memory", "usage_in_bytes")),
      maxUsage: Number(text("memory", "max_usage_in_bytes")),
      limit: memoryLimitOf(Number(text("memory", "limit_in_bytes"))),
      failcnt: Number(text("memory", "failcnt")),
      stats: Object.fromEntries(SHOWN.map((name) => [name, counters.get(name) ?? 0])),
    },
    blkio: transfersOf(text("blkio", "throttle.io_service_bytes")),
  };
}
