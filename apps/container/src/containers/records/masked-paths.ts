/**
 * What is hidden from a container that is not privileged (moby's `oci.DefaultSpec`), and which engine's inspect was the first to show
 * it: clients of the API up to 1.41 are shown what dockerd 20.10 shows.
 */
const TABLE: readonly { readonly path: string; readonly engine: "20.10" | "28" }[] = [
  { path: "/proc/asound", engine: "20.10" },
  { path: "/proc/acpi", engine: "20.10" },
  { path: "/proc/interrupts", engine: "28" },
  { path: "/proc/kcore", engine: "20.10" },
  { path: "/proc/keys", engine: "20.10" },
  { path: "/proc/latency_stats", engine: "20.10" },
  { path: "/proc/timer_list", engine: "20.10" },
  { path: "/proc/timer_stats", engine: "20.10" },
  { path: "/proc/sched_debug", engine: "20.10" },
  { path: "/proc/scsi", engine: "20.10" },
  { path: "/sys/firmware", engine: "20.10" },
  { path: "/sys/devices/virtual/powercap", engine: "28" },
];

/** All that is hidden. */
export const MASKED_PATHS: readonly string[] = TABLE.map(({ path }) => path);

/** What inspect shows of it. */
export const SHOWN_MASKED_PATHS: readonly string[] = TABLE.filter(({ engine }) => engine === "20.10").map(
  ({ path }) => path,
);

/** What such a container can read and not write. */
export const READONLY_PATHS: readonly string[] = [
  "/proc/bus",
  "/proc/fs",
  "/proc/irq",
  "/proc/sys",
  "/proc/sysrq-trigger",
];
