import type { SpecResources, Throttle } from "../../../containers/records/runtime.ts";
import { EngineError } from "../../../engine/errors.ts";

/** What the host's cgroups can do. A limit that they can't keep is left out, as Docker does with a warning. */
export interface CgroupFacts {
  readonly version: 1 | 2;
  readonly swapLimit: boolean;
  readonly blkioWeight: boolean;
}

/** A throttle with its device's numbers on this host. */
export type FoundThrottle = Omit<Throttle, "path"> & { readonly major: number; readonly minor: number };

const THROTTLE_FIELDS = {
  weight: "weightDevice",
  "read-bytes": "throttleReadBpsDevice",
  "write-bytes": "throttleWriteBpsDevice",
  "read-operations": "throttleReadIOPSDevice",
  "write-operations": "throttleWriteIOPSDevice",
} as const satisfies Readonly<Record<Throttle["kind"], string>>;

function throttlesOf(throttles: readonly FoundThrottle[]): Readonly<Record<string, object | undefined>> {
  return Object.fromEntries(
    Object.entries(THROTTLE_FIELDS).map(([kind, field]) => {
      const own = throttles.filter((throttle) => throttle.kind === kind);
      return [
        field,
        own.length === 0
          ? undefined
          : own.map(({ major, minor, rate }) => ({ major, minor, [kind === "weight" ? "weight" : "rate"]: rate })),
      ];
    }),
  );
}

/** The limits of the OCI spec's `linux.resources`, devices apart. */
export function resourcesOf(
  resources: SpecResources,
  facts: CgroupFacts,
  throttles: readonly FoundThrottle[] = [],
): object {
  const memory = defined({
    limit: positive(resources.memory),
    reservation: positive(resources.memoryReservation),
    swap: facts.swapLimit ? swapOf(resources) : undefined,
    swappiness:
      facts.version === 1 && resources.memorySwappiness !== undefined && resources.memorySwappiness >= 0
        ? resources.memorySwappiness
        : undefined,
    kernelTCP: facts.version === 1 ? positive(resources.kernelMemoryTcp) : undefined,
    disableOOMKiller: facts.version === 1 && resources.oomKillDisable === true ? true : undefined,
  });
  const cpu = defined({
    shares: positive(resources.cpuShares),
    // -1 lifts a quota again.
    quota: resources.cpuQuota === 0 ? undefined : resources.cpuQuota,
    period: positive(resources.cpuPeriod),
    realtimeRuntime: resources.cpuRealtimeRuntime,
    realtimePeriod: positive(resources.cpuRealtimePeriod),
    cpus: resources.cpusetCpus || undefined,
    mems: resources.cpusetMems || undefined,
  });
  const blockIO = defined({
    weight: facts.blkioWeight ? positive(resources.blkioWeight) : undefined,
    ...throttlesOf(throttles),
  });
  const all = defined({
    memory,
    cpu,
    pids: resources.pidsLimit ? { limit: resources.pidsLimit } : undefined,
    blockIO,
  });
  return all ?? {};
}

/** Docker doubles the memory limit where no swap limit is given; -1 is no limit. */
function swapOf({ memory, memorySwap }: SpecResources): number | undefined {
  if (memorySwap !== undefined && memorySwap !== 0) return memorySwap;
  return memory !== undefined && memory > 0 ? memory * 2 : undefined;
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}

/** Without what is undefined; undefined where nothing is left. */
function defined(values: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

const limits =
  "as core cpu data fsize locks memlock msgqueue nice nofile nproc rss rtprio rttime sigpending stack".split(" ");

/** RLIM_INFINITY in the spec's JSON; a JavaScript number can't hold it. */
export const UNLIMITED = 18446744073709551615n;

/**
 * The `process.rlimits`. None is above `hardLimits` (by name, absent is unlimited): without CAP_SYS_RESOURCE the kernel would
 * refuse it and the container with it, so that it is clamped. -1 is unlimited.
 */
export function rlimitsOf(
  ulimits: readonly { readonly name: string; readonly soft: number; readonly hard: number }[],
  hardLimits: Readonly<Record<string, number>>,
): readonly { readonly type: string; readonly soft: number | bigint; readonly hard: number | bigint }[] {
  return ulimits.map(({ name, soft, hard }) => {
    if (!limits.includes(name)) throw new EngineError("invalid", `invalid ulimit type: ${name}`);
    if (soft !== -1 && hard !== -1 && soft > hard) {
      throw new EngineError("invalid", `ulimit soft limit must be less than or equal to hard limit: ${soft} > ${hard}`);
    }
    const ceiling = hardLimits[name] ?? Number.POSITIVE_INFINITY;
    const clamp = (value: number): number | bigint => {
      const clamped = Math.min(value === -1 ? Number.POSITIVE_INFINITY : value, ceiling);
      return clamped === Number.POSITIVE_INFINITY ? UNLIMITED : clamped;
    };
    return { type: `RLIMIT_${name.toUpperCase()}`, soft: clamp(soft), hard: clamp(hard) };
  });
}
