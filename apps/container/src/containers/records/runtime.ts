import type { Writable } from "node:stream";
import type { ContainerId } from "../../engine/ids.ts";
import type { LayerTar } from "../../images/images.ts";
import type { RuntimeStats } from "./runtime-stats.ts";

/**
 * The runtime interface that the container service depends on, in OCI terms without vendor types. Every failure is an EngineError:
 * `not-found` for an unknown id, `unavailable` if the runtime does not answer in time. Only `wait` and streams may wait longer.
 */
export interface Runtime {
  readonly name: "memory" | "containerd";
  readonly version: () => Promise<{ readonly name: string; readonly version: string; readonly runc: string }>;

  /**
   * Creates the writable root file system of `id` on top of `layers` (an OCI chain id, "" for an empty root), and keeps the layers of
   * the images that it mounts. Idempotent.
   */
  create(
    id: ContainerId,
    layers: string,
    options?: { readonly mounted?: readonly string[]; readonly signal?: AbortSignal },
  ): Promise<void>;
  /** Creates the task from the spec and starts its process. A failure leaves no task; see StartError. */
  start(spec: ContainerSpec): Promise<{ readonly pid: number }>;
  /**
   * Settles when the process has ended AND its output is complete in the log; the runtime has then deleted the task.
   * Also reports a process that ended while the service was down, and survives a restart of the daemon.
   */
  wait(id: ContainerId, signal?: AbortSignal): Promise<Exit>;
  kill(id: ContainerId, signal: number, options?: { readonly all?: boolean }): Promise<void>;
  /** Idempotent, as `resume` is: an outage may have cut off the answer to a call that had its effect. */
  pause(id: ContainerId): Promise<void>;
  resume(id: ContainerId): Promise<void>;
  resize(id: ContainerId, size: TerminalSize): Promise<void>;
  update(id: ContainerId, resources: SpecResources): Promise<void>;
  /** Removes the root file system, the log and everything else of the container. Kills a running task first. Idempotent. */
  remove(id: ContainerId): Promise<void>;
  /** Every container that this service created and did not remove, with its task if it has one. */
  list(): Promise<readonly RuntimeContainer[]>;

  /** The log, oldest line first; both `logs` and `attach` read it. */
  output(id: ContainerId, options: OutputOptions): Output<OutputChunk>;
  /** The file on the host that inspect shows as `LogPath`. */
  logPath(id: ContainerId): string;
  /** The current end of the log: an attach that wants only new output starts here. */
  outputEnd(id: ContainerId): Promise<OutputPosition>;
  /** The process's standard input; `end()` closes it. */
  stdin(id: ContainerId): Promise<Writable>;

  exec(id: ContainerId, execId: string, spec: ExecSpec): Promise<ExecSession>;
  /** Throws `invalid` if the running container's files do not know the user of an exec, or its group. */
  assertUser(id: ContainerId, user: string): Promise<void>;
  processes(id: ContainerId): Promise<readonly number[]>;
  stats(id: ContainerId): Promise<RuntimeStats>;
  /** Events that neither an exit nor a call's result reports. */
  events(signal: AbortSignal): AsyncIterable<RuntimeEvent>;

  /** Bytes of the files in the writable layer, without directories; 0 if it has no layer. */
  usage(id: ContainerId): Promise<{ readonly writable: number }>;
  /** Bytes of disk that the writable layer and the log take, at least 4 KiB for each file. */
  diskUsage(id: ContainerId): Promise<number>;
  /**
   * Runs `use` with the path of the mounted root file system of a running or stopped container, then unmounts it. `evicted` aborts
   * when a removal waits for `use`, or a start does for some seconds: a stopped container starts once its files are let go.
   * `images`: how many of the images that the container mounts are mounted for `use`, in their order, and read-only.
   */
  withRootfs<T>(id: ContainerId, use: RootUse<T>, images?: number): Promise<T>;
  /** Runs `use` with the path of a read-only root file system of what the container began with, without its changes. */
  withBase<T>(id: ContainerId, use: (path: string) => Promise<T>): Promise<T>;
  /** What the writable layer has of its own. Throws `too-large` for more than can be listed. */
  changedPaths(id: ContainerId): Promise<readonly LayerPath[]>;
  /** The changes of the writable layer over its image. */
  diff(id: ContainerId): Promise<LayerTar>;
  close(): Promise<void>;
}

export type RootUse<T> = (path: string, evicted?: AbortSignal, images?: readonly string[]) => Promise<T>;

/** An absolute path in a layer; `deleted` if the layer hides what its image has there. */
export interface LayerPath {
  readonly path: string;
  readonly deleted: boolean;
}

export interface Exit {
  readonly exitCode: number;
  /** RFC 3339, UTC, nanoseconds where known. */
  readonly exitedAt: string;
}

export interface RuntimeContainer {
  readonly id: ContainerId;
  /** `unknown` if the runtime does not answer: the task may run. */
  readonly task:
    | { readonly status: "created" | "running" | "paused" | "stopped"; readonly pid: number }
    | { readonly status: "unknown" }
    | undefined;
}

export type RuntimeEvent =
  /** The kernel's OOM killer ended a process. */
  | { readonly kind: "oom"; readonly id: ContainerId }
  /** A call for the container timed out; `reason` names the call. */
  | { readonly kind: "unresponsive"; readonly id: ContainerId; readonly reason: string }
  /** Calls for the container succeed again, or its process ended. */
  | { readonly kind: "responsive"; readonly id: ContainerId };

export interface TerminalSize {
  readonly height: number;
  readonly width: number;
}

export interface OutputChunk {
  readonly stream: "stdout" | "stderr";
  /** RFC 3339, UTC, nanoseconds. */
  readonly time: string;
  /** At most one line with its newline; a partial line if the program wrote no newline yet. */
  readonly data: Buffer;
}

/** In each piece what was there at once, at least one chunk: a line at a time would cost more than the lines do. */
export type Output<Chunk = Pick<OutputChunk, "stream" | "data">> = AsyncIterable<readonly Chunk[]>;

/** Opaque to all but the runtime that issued it. */
export type OutputPosition = string & { readonly [outputPosition]: true };
declare const outputPosition: unique symbol;

export interface OutputOptions {
  readonly stdout: boolean;
  readonly stderr: boolean;
  /**
   * Follows until the process has ended and its last byte was read. Ends at once if no process runs, but with a `from` taken
   * while none ran it waits for the next process: a client attaches before the start.
   */
  readonly follow: boolean;
  readonly from?: OutputPosition;
  /** Start with only the last `tail` existing lines; undefined means all. */
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
  /** Docker's `--user`: name or number with an optional `:group`, resolved against the container's passwd and group files. */
  readonly user: string;
  readonly additionalGroups: readonly string[];
  readonly hostname: string;
  readonly domainname: string;
  readonly terminal: boolean;
  /** The terminal's first size; undefined leaves it to the kernel. */
  readonly consoleSize: TerminalSize | undefined;
  /** For the runtime and whoever looks at its spec. */
  readonly annotations: Readonly<Record<string, string>>;
  /** Whether a client can write to the process's standard input; otherwise the process reads end-of-file. */
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
  /** The name of an AppArmor profile that the host has loaded; undefined for none. */
  readonly apparmor?: string;
  /** `undefined` is Docker's default list. */
  readonly maskedPaths: readonly string[] | undefined;
  readonly readonlyPaths: readonly string[] | undefined;
  readonly namespaces: {
    /** `path` is the file of a network namespace: a sandbox, or another container's. */
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
  /** Runs a small init as process 1, which forwards signals and reaps zombies. */
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
      /** The part of the source to mount; its links must not lead out of the source. Absent for all of it. */
      readonly subpath?: string;
      /** Whether the mounts below a read-only source stay writable. */
      readonly writableBelow?: true;
      /** The source was authorized as this path, so the runtime refuses any symlink in it. */
      readonly exact?: boolean;
    }
  | {
      /** The layers of an image, read-only: those at `index` of what `create` was told. */
      readonly kind: "image";
      readonly index: number;
      readonly target: string;
      readonly subpath?: string;
    }
  | { readonly kind: "tmpfs"; readonly target: string; readonly options: readonly string[] };

/** A limit on a host block device: bytes or operations per second, or its share of the device's time. */
export interface Throttle {
  readonly kind: "weight" | "read-bytes" | "write-bytes" | "read-operations" | "write-operations";
  /** The device on the host. */
  readonly path: string;
  readonly rate: number;
}

/** Undefined keeps the kernel's default. */
export interface SpecResources {
  readonly memory?: number;
  readonly memoryReservation?: number;
  readonly memorySwap?: number;
  readonly memorySwappiness?: number;
  /** The limit of TCP buffers. */
  readonly kernelMemoryTcp?: number;
  readonly oomKillDisable?: boolean;
  readonly cpuShares?: number;
  readonly cpuQuota?: number;
  readonly cpuPeriod?: number;
  /** Microseconds, as are quota and period. */
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
  /** The full environment, including the container's. */
  readonly env: readonly string[];
  readonly cwd: string;
  readonly user: string;
  readonly terminal: boolean;
  readonly stdin: boolean;
  /** Discards the output, so that it never blocks the process, even across a restart of the service. */
  readonly detached?: boolean;
  readonly privileged: boolean;
  /** What the container's own process was started with; the limit for an exec. */
  readonly container: Pick<
    ContainerSpec,
    "privileged" | "capabilities" | "noNewPrivileges" | "additionalGroups" | "ulimits"
  >;
  readonly size?: TerminalSize;
}

export interface ExecSession {
  readonly pid: number;
  readonly stdin: Writable | undefined;
  /** Ends when the process has ended and its last byte was read. With a terminal everything is stdout. */
  readonly output: Output;
  resize(size: TerminalSize): Promise<void>;
  readonly exit: Promise<{ readonly exitCode: number }>;
  /** Ends the process at once. */
  kill(): Promise<void>;
  /** Stops reading the output and closes the streams; the process keeps running. */
  detach(): void;
}
