import { existsSync, readdirSync } from "node:fs";

const CPUS = "/sys/devices/system/cpu";

/** The counters of each CPU that tell when it was too hot, where this machine has them. */
function thermalPaths(): readonly string[] {
  if (!existsSync(CPUS)) return [];
  return readdirSync(CPUS)
    .filter((name) => /^cpu\d+$/.test(name))
    .toSorted((one, other) => Number(one.slice("cpu".length)) - Number(other.slice("cpu".length)))
    .map((name) => `${CPUS}/${name}/thermal_throttle`)
    .filter((path) => existsSync(path));
}

/**
 * What a container that is not privileged does not see, in the order of Docker 28 (moby's `oci.DefaultLinuxSpec`): the runtime hides
 * it and inspect shows it.
 */
export const MASKED_PATHS: readonly string[] = [
  "/proc/asound",
  "/proc/acpi",
  "/proc/interrupts",
  "/proc/kcore",
  "/proc/keys",
  "/proc/latency_stats",
  "/proc/timer_list",
  "/proc/timer_stats",
  "/proc/sched_debug",
  "/proc/scsi",
  "/sys/firmware",
  "/sys/devices/virtual/powercap",
  ...thermalPaths(),
];

/** What such a container can read and not write. */
export const READONLY_PATHS: readonly string[] = [
  "/proc/bus",
  "/proc/fs",
  "/proc/irq",
  "/proc/sys",
  "/proc/sysrq-trigger",
];
