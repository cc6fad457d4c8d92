import type { Limit } from "../engine/host-defaults.ts";

/** The facts about the machine and the service that `info` and `version` show; constant while the service runs. */
export interface HostFacts {
  /** The engine's identity; stable across restarts. */
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
  /** In Go's terms: `amd64`. */
  readonly architecture: string;
  readonly cgroupVersion: "1" | "2";
  /** Which of Docker's limits its cgroups support. */
  readonly limits: ReadonlySet<Limit>;
  /** Whether the kernel confines processes by AppArmor profiles. */
  readonly apparmor: boolean;
  /** Whether the kernel supports real-time group scheduling. */
  readonly cpuRealtime: boolean;
  readonly stateDirectory: string;
  readonly berthVersion: string;
  readonly runtime: { readonly name: string; readonly version: string; readonly runc: string };
  /** Mirrors that are tried before Docker's own registry. */
  readonly mirrors: readonly string[];
  readonly insecureRegistries: readonly string[];
}

/** The machine that the service runs on. */
export interface Host {
  readonly facts: HostFacts;
  /** Nanoseconds of CPU time used by all processes. */
  cpuTime(): Promise<number>;
  /** Interfaces by name, as the process sees them; undefined if the process has ended. */
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
