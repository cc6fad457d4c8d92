import type { Resources, RestartPolicy } from "../../records/config.ts";

/** dockerd's minimum memory limit, in bytes. */
const SIX_MEGABYTES = 6 * 1024 * 1024;

/** The policies of `docker run --restart`. */
export function validateRestartPolicy({ Name, MaximumRetryCount }: RestartPolicy): string | undefined {
  if (Name === "") return undefined;
  const refused = (why: string) => `invalid restart policy: ${why}`;
  if (Name === "on-failure")
    return MaximumRetryCount < 0 ? refused("maximum retry count cannot be negative") : undefined;
  if (!["always", "unless-stopped", "no"].includes(Name))
    return refused(`unknown policy '${Name}'; use one of 'no', 'always', 'on-failure', or 'unless-stopped'`);
  if (MaximumRetryCount === 0) return undefined;
  const negative = MaximumRetryCount < 0 ? " and cannot be negative" : "";
  return refused(`maximum retry count can only be used with 'on-failure'${negative}`);
}

/** The kernel's shortest CFS quota, 1 ms of a period of 100 ms. Docker's message names it; the kernel rejects or ignores less. */
const MINIMUM_NANO_CPUS = 10_000_000;

/** What the CPU rules depend on. */
export interface Processors {
  readonly cpus: number;
  /** Whether the kernel supports real-time group scheduling. */
  readonly cpuRealtime: boolean;
}

/** dockerd's rules for `--cpus`, `--cpuset-cpus`, `--cpu-rt-runtime` and `--cpu-rt-period`. */
export function validateProcessors(
  { NanoCpus = 0, CpusetCpus = "", CpuRealtimePeriod: period = 0, CpuRealtimeRuntime: runtime = 0 }: Partial<Resources>,
  { cpus, cpuRealtime }: Processors,
): string | undefined {
  if (NanoCpus !== 0 && (NanoCpus < MINIMUM_NANO_CPUS || NanoCpus > cpus * 1e9))
    return `range of CPUs is from 0.01 to ${cpus}.00, as there are only ${cpus} CPUs available`;
  if (CpusetCpus.split(/[,-]/).some((cpu) => Number(cpu) >= cpus))
    return `Requested CPUs are not available - requested ${CpusetCpus}, available: ${cpus === 1 ? "0" : `0-${cpus - 1}`}`;
  if ((period > 0 || runtime > 0) && !cpuRealtime) return "Your kernel does not support CPU real-time scheduler";
  return period !== 0 && runtime > period
    ? "cpu real-time runtime cannot be higher than cpu real-time period"
    : undefined;
}

/** Rules shared by create and update; a field that is missing from an update is 0, as in Docker. */
export function validateResources(
  resources: Partial<Resources>,
  { kind }: { readonly kind: "create" | "update" },
): string | undefined {
  const of = (field: keyof Resources): number => (typeof resources[field] === "number" ? resources[field] : 0);
  const memory = of("Memory");
  const swap = of("MemorySwap");
  const period = of("CpuPeriod");
  const quota = of("CpuQuota");
  const reservation = of("MemoryReservation");
  const swappiness = of("MemorySwappiness");
  const weight = of("BlkioWeight");
  const checks: readonly (readonly [boolean, string])[] = [
    [memory !== 0 && memory < SIX_MEGABYTES, "Minimum memory limit allowed is 6MB"],
    [memory > 0 && swap > 0 && swap < memory, "Minimum memoryswap limit should be larger than memory limit, see usage"],
    [
      memory === 0 && swap > 0 && kind === "create",
      "You should always set the Memory limit when using Memoryswap limit, see usage",
    ],
    [swappiness < 0 || swappiness > 100, `Invalid value: ${swappiness}, valid memory swappiness range is 0-100`],
    [reservation > 0 && reservation < SIX_MEGABYTES, "Minimum memory reservation allowed is 6MB"],
    [
      memory > 0 && reservation > memory,
      "Minimum memory limit can not be less than memory reservation limit, see usage",
    ],
    [of("KernelMemory") > 0 && of("KernelMemory") < SIX_MEGABYTES, "Minimum kernel memory limit allowed is 6MB"],
    [of("CpuShares") < 0, `invalid CPU shares (${of("CpuShares")}): value must be a positive integer`],
    [of("NanoCpus") > 0 && period > 0, "Conflicting options: Nano CPUs and CPU Period cannot both be set"],
    [of("NanoCpus") > 0 && quota > 0, "Conflicting options: Nano CPUs and CPU Quota cannot both be set"],
    [
      period !== 0 && (period < 1000 || period > 1_000_000),
      "CPU cfs period can not be less than 1ms (i.e. 1000) or larger than 1s (i.e. 1000000)",
    ],
    [quota > 0 && quota < 1000, "CPU cfs quota can not be less than 1ms (i.e. 1000)"],
    [weight > 0 && (weight < 10 || weight > 1000), "Range of blkio weight is from 10 to 1000"],
    [
      of("IOMaximumBandwidth") !== 0 || of("IOMaximumIOps") !== 0,
      "Invalid QoS settings: linux does not support Maximum IO Bandwidth or Maximum IO IOps",
    ],
    ...(["CpusetCpus", "CpusetMems"] as const).map(
      (field) =>
        [
          !/^(\d+(-\d+)?(,\d+(-\d+)?)*)?$/.test(resources[field] ?? ""),
          `Invalid value ${resources[field]} for ${field === "CpusetCpus" ? "cpuset cpus" : "cpuset mems"}: invalid format: ${resources[field]}`,
        ] as const,
    ),
  ];
  return checks.find(([refuses]) => refuses)?.[1];
}

/** Warnings about accepted values. `discardLimits` has already dropped what the host does not support. */
export function warningsOfResources({
  KernelMemory = 0,
  OomKillDisable = null,
  Memory = 0,
  CpuPercent = 0,
  CpuCount = 0,
}: Partial<Resources>): readonly string[] {
  const warnings: readonly (readonly [boolean, string])[] = [
    [KernelMemory > 0, "Specifying a kernel memory limit is deprecated and will be removed in a future release."],
    [
      OomKillDisable === true && Memory === 0,
      "OOM killer is disabled for the container, but no memory limit is set, this can result in the system running out of resources.",
    ],
    [CpuPercent > 0, "linux does not support CPU percent. Percent discarded."],
    [CpuCount > 0, "linux does not support CPU count. Count discarded."],
  ];
  return warnings.flatMap(([applies, warning]) => (applies ? [warning] : []));
}

/** Returns why an update is rejected; does not check the restart policy. */
export function validateUpdate(change: Partial<Resources>, host: Processors): string | undefined {
  return validateResources(change, { kind: "update" }) ?? validateProcessors(change, host);
}
