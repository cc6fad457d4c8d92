/** A limit that the host's cgroups may not support. */
export type Limit =
  | "memory"
  | "swap"
  | "swappiness"
  | "memory-reservation"
  | "kernel-memory-tcp"
  | "oom-kill-disable"
  | "pids"
  | "cpu-shares"
  | "cpu-quota"
  | "cpuset"
  | "blkio-weight"
  | "blkio-weight-device"
  | "blkio-read-bytes"
  | "blkio-write-bytes"
  | "blkio-read-operations"
  | "blkio-write-operations";

/** What every container gets on this host by default, and is therefore no privilege, and what the host can limit. */
export interface HostDefaults {
  /** Docker's default: `host` if cgroups are not unified. */
  readonly cgroupnsMode: "host" | "private";
  /** The limits that the host's cgroups support. */
  readonly limits: ReadonlySet<Limit>;
  /** Whether the kernel confines processes by AppArmor profiles. */
  readonly apparmor: boolean;
  /** The address of bindings that name none; undefined for every address, IPv4 and IPv6. */
  readonly defaultHostIp: string | undefined;
}
