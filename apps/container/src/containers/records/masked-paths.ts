import { existsSync, readdirSync } from "node:fs";

const CPUS = "/sys/devices/system/cpu";

/** The counters of each CPU that tell when it was too hot, where this machine has them. */
function thermalPaths(): readonly string[] {
  if (!existsSync(CPUS)) return [];
  return readdirSync(CPUS)
    .filter((name) => /^cpu\d+$/.test(name))
    .map((name) => `${CPUS}/${name}/thermal_throttle`)
    .filter((path) => existsSync(path));
}

/**
 * What a container that is not privileged does not see, as by Docker 28 (moby's `oci.DefaultLinuxSpec`): the runtime hides it and
 * inspect shows it.
 */
export const MASKED_PATHS: readonly string[] = [
  "/proc/acpi",
  "/proc/asound",
  "/proc/interrupts",
  "/proc/kcore",
  "/proc/keys",
  "/proc/latency_stats",
  "/proc/sched_debug",
  "/proc/scsi",
  "/proc/timer_list",
  "/proc/timer_stats",
  "/sys/devices/virtual/powercap",
  "/sys/firmware",
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
