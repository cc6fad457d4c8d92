import type { Writable } from "node:stream";
import type { PortAssignment } from "@berth/port-spec";
import type { Actor } from "../engine/actor.ts";
import type { Filters } from "../engine/filters.ts";
import type { ContainerId } from "../engine/ids.ts";
import type { ImageManifest } from "../images/images.ts";
import type { Endpoint } from "../networks/networks.ts";
import type { CreateRequest, Resources, RestartPolicy } from "./records/config.ts";
import type { Container } from "./records/container.ts";
import type { Explanation } from "./records/explanation.ts";
import type { ExecSession, Output, OutputChunk, OutputOptions, TerminalSize } from "./records/runtime.ts";
import type { RuntimeStats } from "./records/runtime-stats.ts";

/** Whether the call changed anything; Docker answers 304 if not. */
export type Changed = "changed" | "unchanged";

/** A container plus the other data that inspect and list show. */
export interface ContainerView {
  readonly container: Container;
  readonly assignments: readonly PortAssignment[];
  /** By network name; endpoints of a stopped container have no address. */
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  /** The image to show in a list: the requested reference, or the id if the reference now names another image. */
  readonly imageName: string;
  /** The manifest of its image; absent where the image is gone. */
  readonly manifest?: ImageManifest;
  readonly execIds: readonly string[];
  /** Names that others link to it by, `web/db`. */
  readonly linkNames?: readonly string[];
  /** Whether all its networks are internal, so that none of its ports can be reached. */
  readonly internal?: true;
  readonly logPath: string;
  readonly hostsPath: string;
  readonly hostnamePath: string;
  readonly resolvConfPath: string;
  /** Bytes of the writable layer and of all layers; only if sizes were requested. */
  readonly size?: { readonly writable: number; readonly total: number };
}

export interface ListQuery {
  readonly all: boolean;
  readonly limit: number | undefined;
  readonly size: boolean;
  readonly filters: Filters;
}

export interface Attachment {
  readonly terminal: boolean;
  readonly output: Output;
  /** Undefined if the client did not ask for stdin or the container has no open stdin. */
  readonly stdin: Writable | undefined;
  /** Stops reading after the detach keys or a disconnect; with `StdinOnce` this closes stdin. */
  close(): void;
}

export interface AttachOptions {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  /** Include the existing log. */
  readonly logs: boolean;
  /** Follow the log. */
  readonly stream: boolean;
}

export interface ExecRequest {
  readonly cmd: readonly string[];
  readonly env: readonly string[];
  readonly user: string;
  readonly workingDir: string;
  readonly tty: boolean;
  readonly privileged: boolean;
  readonly attachStdin: boolean;
  readonly attachStdout: boolean;
  readonly attachStderr: boolean;
  readonly detachKeys: string;
  /** The terminal's size, unless the start names one. */
  readonly size?: TerminalSize;
}

export interface Exec {
  readonly id: string;
  readonly containerId: ContainerId;
  readonly request: ExecRequest;
  readonly running: boolean;
  readonly pid: number;
  readonly exitCode: number | null;
}

/** What a record of an action says about the container. */
export interface ActedOn {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly owner?: string | undefined;
  readonly image?: string | undefined;
}

/** A claimed exec that has not started. Call `begin` once; with `detach` its output is discarded. */
export interface ExecStart {
  begin(): Promise<ExecSession>;
}

export type WaitCondition = "not-running" | "next-exit" | "removed";

/** A running container that its owner may no longer run. */
export interface Violation {
  readonly id: string;
  readonly name: string;
  /** The owner's id in the directory. */
  readonly owner: string;
  /** Undefined for a user whom the directory does not have or has disabled. */
  readonly login: string | undefined;
  readonly reason: string;
  readonly outcome: "stopped" | "would-stop" | "failed";
  /** Why it could not be stopped. */
  readonly error?: string;
}

export interface EnforceOptions {
  /** The directory's id of one user; undefined for all. */
  readonly owner: string | undefined;
  readonly apply: "stop" | "dry-run";
}

/**
 * The container use cases that the routes call. `ref` is a full id, a unique id prefix, or a name with or without its slash.
 * Every method throws EngineError with Docker's message: `not-found` (`No such container: REF`), `conflict`, `invalid`, ….
 */
export interface Containers {
  create(
    actor: Actor,
    request: CreateRequest,
  ): Promise<{ readonly id: ContainerId; readonly warnings: readonly string[] }>;
  /** Whether `create` and `start` would work now, and why not; see `explainContainer`. */
  explain(actor: Actor, request: CreateRequest): Promise<Explanation>;
  /**
   * `legacy` is a raw start body with its API version. The rules of `startTimePorts` in `@berth/port-spec` reject it or let its
   * bindings replace the ones from create; the warnings are for the `Warning` header.
   */
  start(
    actor: Actor,
    ref: string,
    options?: { readonly legacy?: { readonly apiVersion: string; readonly body: unknown } },
  ): Promise<{ readonly changed: Changed; readonly warnings: readonly string[] }>;
  /** An undefined timeout means the container's own, or 10 s. 0 kills at once; a negative value waits forever. */
  stop(
    actor: Actor,
    ref: string,
    options: { readonly signal?: string; readonly timeoutSeconds?: number },
  ): Promise<Changed>;
  restart(
    actor: Actor,
    ref: string,
    options: { readonly signal?: string; readonly timeoutSeconds?: number },
  ): Promise<void>;
  kill(actor: Actor, ref: string, signal: string): Promise<void>;
  pause(actor: Actor, ref: string): Promise<void>;
  unpause(actor: Actor, ref: string): Promise<void>;
  rename(actor: Actor, ref: string, name: string): Promise<void>;
  update(
    actor: Actor,
    ref: string,
    change: Partial<Resources> & { readonly RestartPolicy?: RestartPolicy },
  ): Promise<{ readonly warnings: readonly string[] }>;
  remove(actor: Actor, ref: string, options: { readonly force: boolean; readonly volumes: boolean }): Promise<void>;
  /** Removes a legacy link; `ref` is `CONTAINER/ALIAS`. The containers stay. */
  unlink(actor: Actor, ref: string): Promise<void>;
  prune(
    actor: Actor,
    filters: Filters,
  ): Promise<{ readonly deleted: readonly ContainerId[]; readonly spaceReclaimed: number }>;
  /** Settles once the waiter is registered, so that the headers can be sent; `exit` settles later. */
  wait(
    actor: Actor,
    ref: string,
    condition: WaitCondition,
  ): Promise<{ readonly exit: Promise<{ readonly statusCode: number; readonly error?: string }> }>;
  get(actor: Actor, ref: string, options?: { readonly size?: boolean }): Promise<ContainerView>;
  list(actor: Actor, query: ListQuery): Promise<readonly ContainerView[]>;
  logs(
    actor: Actor,
    ref: string,
    options: OutputOptions,
  ): Promise<{
    readonly terminal: boolean;
    readonly output: Output<OutputChunk>;
    /** Log attributes of the container (`--log-opt labels`, `env`, `tag`), sorted by name. */
    readonly attributes: readonly (readonly [name: string, value: string])[];
  }>;
  attach(actor: Actor, ref: string, options: AttachOptions): Promise<Attachment>;
  resize(actor: Actor, ref: string, size: TerminalSize): Promise<void>;
  stats(actor: Actor, ref: string): Promise<{ readonly view: ContainerView; readonly stats: RuntimeStats | undefined }>;
  /** Takes the client's `ps` arguments; returns the host's ps columns for the container's processes. */
  top(
    actor: Actor,
    ref: string,
    psArgs: string,
  ): Promise<{ readonly titles: readonly string[]; readonly processes: readonly (readonly string[])[] }>;

  createExec(actor: Actor, ref: string, request: ExecRequest): Promise<string>;
  startExec(
    actor: Actor,
    execId: string,
    options: { readonly detach: boolean; readonly tty: boolean; readonly size?: TerminalSize },
  ): Promise<ExecStart>;
  getExec(actor: Actor, execId: string): Promise<Exec>;
  resizeExec(actor: Actor, execId: string, size: TerminalSize): Promise<void>;

  /** The container that a reference, or an exec's id, means to the actor; undefined for none and for several. */
  actedOn(actor: Actor, kind: "container" | "exec", ref: string): ActedOn | undefined;
  /** Throws `forbidden` once the actor may no longer be attached to the container, because it lost one of its privileges. */
  assertMayAttach(actor: Actor, ref: string): void;
  /** The same for an exec of the actor. */
  assertMayExec(actor: Actor, execId: string): void;
  /** Stops running containers that their owners may no longer run; see `enforce`. */
  enforce(options: EnforceOptions): Promise<readonly Violation[]>;

  /** How many containers the owner has. */
  countIn(owner: string): number;
  /** How many containers the actor sees, by status, for `info`. */
  counts(actor: Actor): {
    readonly total: number;
    readonly running: number;
    readonly paused: number;
    readonly stopped: number;
  };
}
