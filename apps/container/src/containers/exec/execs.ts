import type { Actor } from "../../engine/actor.ts";
import { EngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import { sees } from "../../engine/owners.ts";
import { assertExecAllowed } from "../../policy/containers.ts";
import { privilegesOf } from "../../policy/facts.ts";
import type { Exec, ExecRequest, ExecStart } from "../containers.ts";
import type { Context } from "../context.ts";
import { currentLinkEnvironment } from "../create/links.ts";
import type { Container } from "../records/container.ts";
import { execEvent } from "../records/container-event.ts";
import type { ExecSession, TerminalSize } from "../records/runtime.ts";
import { StartError } from "../records/start-error.ts";
import { execSpecOf } from "../spec/exec-spec.ts";

interface Entry {
  exec: Exec;
  /** The owner whose allowance the exec takes from, and how much. */
  readonly owner: string | undefined;
  readonly bytes: number;
  /** Settles when the process started or failed to start. */
  readonly session: Promise<ExecSession>;
  readonly began: (session: ExecSession | Promise<never>) => void;
}

/** How long an ended exec stays visible; dockerd forgets it after five to ten minutes (moby `execCommandGC`). */
const KEPT_MS = 300_000;

/** How long a created exec waits for its start. */
const WAITING_MS = 600_000;

/** Linux runs no program with more arguments and environment (a quarter of the usual 8 MiB stack, execve(2)). */
const MAX_EXEC_BYTES = 2 * 1024 * 1024;

/** How much memory one owner's execs may take. Ended ones make room; with waiting and running ones alone, a create is refused. */
const MAX_OWNER_BYTES = 32 * 1024 * 1024;

/** The memory of an exec besides its text. */
const ENTRY_BYTES = 4 * 1024;

/** How long a resize waits for the process, as in moby: clients send the size right after they request the start. */
const RESIZE_WAIT_MS = 10_000;

/** Linux counts each text with its NUL and its pointer. */
function bytesOf({ cmd, env, user, workingDir, detachKeys }: ExecRequest): number {
  return [...cmd, ...env, user, workingDir, detachKeys].reduce((sum, text) => sum + Buffer.byteLength(text) + 9, 0);
}

type ExecContext = Pick<Context, "registry" | "networks" | "runtime" | "random" | "events" | "log" | "host">;

/** The execs of running containers. They are kept in memory, since no exec outlives the service. */
export class Execs {
  readonly #context: ExecContext;
  /** In the order of their creation. */
  readonly #entries = new Map<string, Entry>();
  /** The bytes of each owner's entries. */
  readonly #bytes = new Map<string | undefined, number>();

  constructor(context: ExecContext) {
    this.#context = context;
  }

  of(id: ContainerId): readonly string[] {
    return [...this.#entries.values()]
      .filter(({ exec }) => exec.containerId === id && exec.running)
      .map(({ exec }) => exec.id);
  }

  #delete(execId: string): void {
    const entry = this.#entries.get(execId);
    if (entry === undefined) return;
    this.#entries.delete(execId);
    const left = (this.#bytes.get(entry.owner) ?? 0) - entry.bytes;
    if (left > 0) this.#bytes.set(entry.owner, left);
    else this.#bytes.delete(entry.owner);
  }

  /** Forgets execs of the owner that ended or whose container is gone, oldest first, until `bytes` fit. Throws `too-large` if they cannot. */
  #makeRoom(owner: string | undefined, bytes: number): void {
    const fits = (): boolean => (this.#bytes.get(owner) ?? 0) + bytes <= MAX_OWNER_BYTES;
    if (fits()) return;
    for (const [execId, entry] of this.#entries) {
      const { exitCode, containerId } = entry.exec;
      const isOver = exitCode !== null || this.#context.registry.get(containerId) === undefined;
      if (entry.owner === owner && isOver) this.#delete(execId);
      if (fits()) return;
    }
    throw new EngineError(
      "too-large",
      `the created and running execs of one owner may take at most ${MAX_OWNER_BYTES} bytes: start those that wait, or let some end`,
    );
  }

  /** An unknown user is refused here, as by moby's `ContainerExecCreate`, and again at the start: files change in between. */
  async create(actor: Actor, ref: string, request: ExecRequest): Promise<string> {
    const container = this.#context.registry.resolve(actor, ref);
    if (request.cmd.length === 0) throw new EngineError("invalid", "No exec command specified");
    this.#assertAllowed(actor, container, request);
    this.#mustRun(container.id, ref);
    const text = bytesOf(request);
    if (text > MAX_EXEC_BYTES) {
      throw new EngineError(
        "too-large",
        `the exec's command and environment have ${text} bytes; at most ${MAX_EXEC_BYTES} are possible`,
      );
    }
    if (request.user !== "") {
      await this.#context.runtime.assertUser(container.id, request.user);
      this.#mustRun(container.id, ref);
    }
    const { owner } = container;
    const bytes = text + ENTRY_BYTES;
    this.#makeRoom(owner, bytes);
    const id = this.#context.random.execId();
    let began: Entry["began"] = () => {};
    const session = new Promise<ExecSession>((resolve) => {
      began = resolve;
    });
    session.catch(() => {});
    const exec = { id, containerId: container.id, request, running: false, pid: 0, exitCode: null };
    this.#entries.set(id, { exec, owner, bytes, session, began });
    this.#bytes.set(owner, (this.#bytes.get(owner) ?? 0) + bytes);
    setTimeout(() => this.#forgetWaiting(id), WAITING_MS).unref();
    execEvent(this.#context, container, "create", { id, cmd: request.cmd });
    return id;
  }

  /** An exec that waits for its start ends with the run of its container, as in moby's `Cleanup`. */
  forgetWaitingOf(id: ContainerId): void {
    for (const [execId, { exec }] of this.#entries) if (exec.containerId === id) this.#forgetWaiting(execId);
  }

  #forgetWaiting(execId: string): void {
    const { running, exitCode } = this.#entries.get(execId)?.exec ?? {};
    if (running === false && exitCode === null) this.#delete(execId);
  }

  get(actor: Actor, execId: string): Exec {
    return this.#find(actor, execId).exec;
  }

  /** Claims the exec's single run. `begin` starts it later, so that the response head can go out before the first output. */
  start(
    actor: Actor,
    execId: string,
    options: { readonly detach: boolean; readonly tty: boolean; readonly size?: TerminalSize },
  ): ExecStart {
    const entry = this.#find(actor, execId);
    const { exec } = entry;
    if (exec.exitCode !== null) throw new EngineError("conflict", `exec command ${execId} has already run`);
    if (exec.running) throw new EngineError("conflict", `exec command ${execId} is already running`);
    const container = this.#mustRun(exec.containerId);
    this.#assertAllowed(actor, container, exec.request);
    entry.exec = { ...exec, running: true };
    return { begin: () => this.#begin(entry, container, options) };
  }

  async #begin(
    entry: Entry,
    container: Container,
    options: { readonly detach: boolean; readonly size?: TerminalSize },
  ): Promise<ExecSession> {
    const { exec } = entry;
    const attachStdin = exec.request.attachStdin && !options.detach;
    try {
      const spec = {
        ...execSpecOf(
          container,
          { ...exec.request, attachStdin },
          {
            size: options.size ?? (exec.request.tty ? exec.request.size : undefined),
            links: currentLinkEnvironment(this.#context, container),
          },
        ),
        detached: options.detach,
      };
      const session = await this.#context.runtime.exec(exec.containerId, exec.id, spec);
      entry.began(session);
      entry.exec = { ...exec, running: true, pid: session.pid };
      execEvent(this.#context, container, "start", { id: exec.id, cmd: exec.request.cmd });
      session.exit.then(
        ({ exitCode }) => {
          this.#end(entry, exitCode);
          execEvent(this.#context, container, "die", { id: exec.id, exitCode });
        },
        (fault: unknown) =>
          this.#context.log.warn({ exec: exec.id, err: fault }, "failed to record the end of an exec"),
      );
      if (options.detach) session.detach();
      return session;
    } catch (thrown) {
      this.#end(entry, thrown instanceof StartError ? thrown.exitCode : 126);
      entry.began(Promise.reject(thrown));
      throw thrown;
    }
  }

  #end(entry: Entry, exitCode: number): void {
    entry.exec = { ...entry.exec, running: false, exitCode };
    setTimeout(() => this.#delete(entry.exec.id), KEPT_MS).unref();
  }

  async resize(actor: Actor, execId: string, size: TerminalSize): Promise<void> {
    const { exec, session } = this.#find(actor, execId);
    this.#mustRun(exec.containerId);
    if (exec.exitCode !== null) throw new EngineError("conflict", `Exec ${execId} is not running`);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const fault = new EngineError("failed", "timeout waiting for exec session ready");
      timer = setTimeout(reject, RESIZE_WAIT_MS, fault);
    });
    const ready = await Promise.race([session, late]).finally(() => clearTimeout(timer));
    await ready.resize(size);
  }

  /** Throws `forbidden` once the actor may no longer run this exec, and `not-found`. */
  assertStillAllowed(actor: Actor, execId: string): void {
    const { exec } = this.#find(actor, execId);
    const container = this.#context.registry.get(exec.containerId);
    if (container !== undefined) this.#assertAllowed(actor, container, exec.request);
  }

  /** Runs at create, at start and while it runs: the user's constraints may change in between. */
  #assertAllowed(actor: Actor, container: Container, request: ExecRequest): void {
    assertExecAllowed(actor, request, privilegesOf(container, this.#context.host));
  }

  #find(actor: Actor, execId: string): Entry {
    const entry = this.#entries.get(execId);
    const container = entry && this.#context.registry.get(entry.exec.containerId);
    if (!entry || !container || !sees(actor, container))
      throw new EngineError("not-found", `No such exec instance: ${execId}`);
    return entry;
  }

  /** `ref` is the reference the client used. */
  #mustRun(id: ContainerId, ref: string = id) {
    const container = this.#context.registry.get(id);
    if (container?.state.status === "running") return container;
    if (container?.state.status === "paused")
      throw new EngineError("conflict", `Container ${ref} is paused, unpause the container before exec`);
    throw new EngineError("conflict", `container ${id} is not running`);
  }
}
