import type { Limit } from "../containers/create/discard-limits.ts";

/** What `info` and `version` tell of the machine and of the service; fixed while the service runs. */
export interface HostFacts {
  /** Stable over restarts: the identity of this engine. */
  readonly id: string;
  readonly name: string;
  readonly cpus: number;
  /** Bytes. */
  readonly memory: number;
  readonly kernelVersion: string;
  readonly operatingSystem: string;
  readonly osVersion: string;
  /** `uname -m`: `x86_64`. */
  readonly machine: string;
  /** Go's word for it: `amd64`. */
  readonly architecture: string;
  readonly cgroupVersion: "1" | "2";
  /** What its cgroups can keep of Docker's limits. */
  readonly limits: ReadonlySet<Limit>;
  /** Whether a cgroup can be given a share of the real-time scheduler. */
  readonly cpuRealtime: boolean;
  readonly stateDirectory: string;
  readonly berthVersion: string;
  readonly runtime: { readonly name: string; readonly version: string; readonly runc: string };
  /** Registries that are asked in place of Docker's own. */
  readonly mirrors: readonly string[];
  readonly insecureRegistries: readonly string[];
}

/** The machine that the service runs on. */
export interface Host {
  readonly facts: HostFacts;
  /** Nanoseconds of CPU time that all processes have used. */
  cpuTime(): Promise<number>;
  /** By name, as the process sees them; undefined where the process is gone. */
  interfaces(pid: number): Promise<Readonly<Record<string, InterfaceCounters>> | undefined>;
}

/** Bytes and packets of one network interface since it came up. */
export interface InterfaceCounters {
  readonly rx_bytes: number;
  readonly rx_packets: number;
  readonly rx_errors: number;
  readonly rx_dropped: number;
  readonly tx_bytes: number;
  readonly tx_packets: number;
  readonly tx_errors: number;
  readonly tx_dropped: number;
}
