import type { Readable, Writable } from "node:stream";
import { EngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";

/**
 * What the container service needs of a thing that runs containers. It speaks in the words of the OCI, never of a vendor.
 * Every failure is an EngineError; `not-found` where the id is unknown to the runtime, `unavailable` where what runs the container does
 * not answer in time. No call but `wait` and a stream waits longer than that.
 */
export interface Runtime {
  readonly name: "memory" | "containerd";
  readonly version: () => Promise<{ readonly name: string; readonly version: string; readonly runc: string }>;

  /** Makes the writable root file system of `id` on top of `layers` (an OCI chain id, "" for an empty root). Nothing runs. Idempotent. */
  create(id: ContainerId, layers: string, signal?: AbortSignal): Promise<void>;
  /** Makes the task from the spec and starts its process. On failure nothing of the task is left; see StartError. */
  start(spec: ContainerSpec): Promise<{ readonly pid: number }>;
  /**
   * Settles when the process has ended AND its output is whole in the log; the task is then gone from the runtime.
   * Also answers for a process that ended while nobody waited (a restart of ours), and outlives a restart of the daemon.
   */
  wait(id: ContainerId, signal?: AbortSignal): Promise<Exit>;
  kill(id: ContainerId, signal: number, options?: { readonly all?: boolean }): Promise<void>;
  pause(id: ContainerId): Promise<void>;
  resume(id: ContainerId): Promise<void>;
  resize(id: ContainerId, size: TerminalSize): Promise<void>;
  update(id: ContainerId, resources: SpecResources): Promise<void>;
  /** Takes away the root file system, the log and all that `create` and `start` made. A running task is killed first. Idempotent. */
  remove(id: ContainerId): Promise<void>;
  /** Every container that this service ever made and did not remove, with its task where it has one. */
  list(): Promise<readonly RuntimeContainer[]>;

  /** The log, oldest first: the one stream that `logs` and `attach` both read. */
  output(id: ContainerId, options: OutputOptions): AsyncIterable<OutputChunk>;
  /** The file on the host that inspect names as `LogPath`. */
  logPath(id: ContainerId): string;
  /** Where the log stands now: an attach that wants only what comes next starts from here. */
  outputEnd(id: ContainerId): Promise<OutputPosition>;
  /** The process's standard input; `end()` closes it for the process. */
  stdin(id: ContainerId): Promise<Writable>;

  exec(id: ContainerId, execId: string, spec: ExecSpec): Promise<ExecSession>;
  processes(id: ContainerId): Promise<readonly number[]>;
  stats(id: ContainerId): Promise<RuntimeStats>;
  /** What neither an exit nor a call's answer tells. */
  events(signal: AbortSignal): AsyncIterable<RuntimeEvent>;

  /** Bytes of the files of the writable layer, folders not counted; 0 where it has none. */
  usage(id: ContainerId): Promise<{ readonly writable: number }>;
  /** Runs `use` with the path of the mounted root file system, of a running or a stopped container; unmounts after it. */
  withRootfs<T>(id: ContainerId, use: (path: string) => Promise<T>): Promise<T>;
  /** Runs `use` with the path of a read-only root file system of the layers alone, as `create` takes them. */
  withLayers<T>(layers: string, use: (path: string) => Promise<T>): Promise<T>;
  /** The layers below and the writable layer of `id` as a tar stream of the difference (OCI layer tar, uncompressed). */
  diff(id: ContainerId): Promise<Readable>;
  close(): Promise<void>;
}

/** The process could not be executed: Docker answers 400 and keeps the exit code that a shell would give. */
export class StartError extends EngineError {
  /** 127: not found. 126: found, but it can't be executed. */
  readonly exitCode: 126 | 127;

  constructor(exitCode: 126 | 127, message: string, options?: ErrorOptions) {
    super("invalid", message, options);
    this.exitCode = exitCode;
  }
}

export interface Exit {
  readonly exitCode: number;
  /** RFC 3339, UTC, nanoseconds where known. */
  readonly exitedAt: string;
}

export interface RuntimeContainer {
  readonly id: ContainerId;
  /** `unknown` where it does not answer: it may run. */
  readonly task:
    | { readonly status: "created" | "running" | "paused" | "stopped"; readonly pid: number }
    | { readonly status: "unknown" }
    | undefined;
}

export type RuntimeEvent =
  /** A process was killed for memory. */
  | { readonly kind: "oom"; readonly id: ContainerId }
  /** A call for the container went unanswered; `reason` says which. */
  | { readonly kind: "unresponsive"; readonly id: ContainerId; readonly reason: string }
  /** Calls for it are answered again, or its process is gone. */
  | { readonly kind: "responsive"; readonly id: ContainerId };

export interface TerminalSize {
  readonly height: number;
  readonly width: number;
}

export interface OutputChunk {
  readonly stream: "stdout" | "stderr";
  /** RFC 3339, UTC, nanoseconds. */
  readonly time: string;
  /** At most one line with its newline; a part of a line where the program wrote no newline yet. */
  readonly data: Buffer;
}

/** Opaque to all but the runtime that gave it. */
export type OutputPosition = string & { readonly [outputPosition]: true };
declare const outputPosition: unique symbol;

export interface OutputOptions {
  readonly stdout: boolean;
  readonly stderr: boolean;
  /**
   * Goes on until the process has ended and its last byte was given. Where none runs it ends at once, but with a `from` taken
   * while none ran it waits for the next process: a client attaches before it starts.
   */
  readonly follow: boolean;
  readonly from?: OutputPosition;
  /** Only the last so many lines of what is there at first; undefined is all. */
  readonly tail?: number;
  /** RFC 3339, inclusive. */
  readonly since?: string;
  readonly until?: string;
  readonly signal?: AbortSignal;
}

export interface ContainerSpec {
  readonly id: ContainerId;
  readonly args: readonly string[];
  readonly env: readonly string[];
  readonly cwd: string;
  /** Docker's `--user`: name or number, `:group` behind it; resolved against the container's own passwd and group files. */
  readonly user: string;
  readonly additionalGroups: readonly string[];
  readonly hostname: string;
  readonly domainname: string;
  readonly terminal: boolean;
  /** Whether the process gets a standard input that a client can write to; otherwise it reads end-of-file. */
  readonly stdin: boolean;
  readonly mounts: readonly SpecMount[];
  readonly readonlyRootfs: boolean;
  readonly privileged: boolean;
  readonly capabilities: { readonly add: readonly string[]; readonly drop: readonly string[] };
  readonly seccomp:
    | { readonly kind: "default" }
    | { readonly kind: "unconfined" }
    | { readonly kind: "profile"; readonly json: string };
  readonly noNewPrivileges: boolean;
  /** `undefined` is Docker's default list. */
  readonly maskedPaths: readonly string[] | undefined;
  readonly readonlyPaths: readonly string[] | undefined;
  readonly namespaces: {
    /** `path` is a network namespace's file: a sandbox, or another container's. */
    readonly network: NamespaceSpec;
    readonly pid: NamespaceSpec;
    readonly ipc: NamespaceSpec;
    readonly uts: NamespaceSpec;
    readonly cgroup: NamespaceSpec;
  };
  readonly devices: readonly { readonly hostPath: string; readonly path: string; readonly permissions: string }[];
  /** Docker's form: `c 42:* rmw`. */
  readonly deviceCgroupRules: readonly string[];
  readonly resources: SpecResources;
  readonly ulimits: readonly { readonly name: string; readonly soft: number; readonly hard: number }[];
  readonly sysctls: Readonly<Record<string, string>>;
  /** Bytes. */
  readonly shmSize: number;
  readonly oomScoreAdj: number;
  /** Runs a small init as process 1 that forwards signals and reaps. */
  readonly init: boolean;
  readonly cgroupParent: string;
  readonly throttles?: readonly Throttle[];
  readonly log: { readonly maxBytes: number | undefined; readonly maxFiles: number };
}

export type NamespaceSpec =
  /** `bare`: without the shared memory that comes with it otherwise. */
  | { readonly kind: "private"; readonly bare?: true }
  | { readonly kind: "host" }
  | { readonly kind: "path"; readonly path: string };

export type SpecMount =
  | {
      readonly kind: "bind";
      readonly source: string;
      readonly target: string;
      readonly readonly: boolean;
      readonly propagation: string;
      readonly recursive: boolean;
      /** The source was decided on as it is: a link on the way to it is refused, whenever it was laid. */
      readonly exact?: boolean;
    }
  | { readonly kind: "tmpfs"; readonly target: string; readonly options: readonly string[] };

/** A limit of what a container may read or write of one of the host's block devices: bytes or operations a second. */
export interface Throttle {
  readonly kind: "read-bytes" | "write-bytes" | "read-operations" | "write-operations";
  /** Of the device on the host. */
  readonly path: string;
  readonly rate: number;
}

/** Undefined leaves the kernel's default. */
export interface SpecResources {
  readonly memory?: number;
  readonly memoryReservation?: number;
  readonly memorySwap?: number;
  readonly memorySwappiness?: number;
  readonly oomKillDisable?: boolean;
  readonly cpuShares?: number;
  readonly cpuQuota?: number;
  readonly cpuPeriod?: number;
  /** Microseconds, as quota and period are. */
  readonly cpuRealtimeRuntime?: number;
  readonly cpuRealtimePeriod?: number;
  readonly cpusetCpus?: string;
  readonly cpusetMems?: string;
  /** -1 is none, where there was one. */
  readonly pidsLimit?: number;
  readonly blkioWeight?: number;
}

export interface ExecSpec {
  readonly args: readonly string[];
  /** All of the environment, the container's included. */
  readonly env: readonly string[];
  readonly cwd: string;
  readonly user: string;
  readonly terminal: boolean;
  readonly stdin: boolean;
  /** Nobody will read what it writes: that goes nowhere, and never stalls the process, not even past a restart of ours. */
  readonly detached?: boolean;
  readonly privileged: boolean;
  /** What the container's own process was started with: an exec may have no more. */
  readonly container: Pick<
    ContainerSpec,
    "privileged" | "capabilities" | "noNewPrivileges" | "additionalGroups" | "ulimits"
  >;
  readonly size?: TerminalSize;
}

export interface ExecSession {
  readonly pid: number;
  readonly stdin: Writable | undefined;
  /** Ends when the process has ended and its last byte was given. With a terminal everything is stdout. */
  readonly output: AsyncIterable<Pick<OutputChunk, "stream" | "data">>;
  resize(size: TerminalSize): Promise<void>;
  readonly exit: Promise<{ readonly exitCode: number }>;
  /** Ends the process at once. */
  kill(): Promise<void>;
  /** Stops reading the output and lets go of the streams; the process goes on. */
  detach(): void;
}

export interface RuntimeStats {
  /** RFC 3339. */
  readonly read: string;
  readonly pids: { readonly current: number; readonly limit: number | undefined };
  /** Nanoseconds. */
  readonly cpu: {
    readonly total: number;
    readonly user: number;
    readonly kernel: number;
    readonly perCpu: readonly number[];
    readonly throttling: {
      readonly periods: number;
      readonly throttledPeriods: number;
      readonly throttledTime: number;
    };
  };
  /** Bytes. */
  readonly memory: {
    readonly usage: number;
    readonly maxUsage: number;
    readonly limit: number;
    readonly failcnt: number;
    readonly stats: Readonly<Record<string, number>>;
  };
  readonly blkio: readonly {
    readonly op: string;
    readonly major: number;
    readonly minor: number;
    readonly value: number;
  }[];
}
