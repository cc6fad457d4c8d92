import type { Actor } from "../../engine/actor.ts";
import { EngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import { sees } from "../../engine/owners.ts";
import { assertExecAllowed } from "../../policy/containers.ts";
import { privilegesOf } from "../../policy/facts.ts";
import type { Exec, ExecRequest, ExecStart } from "../containers.ts";
import type { Context } from "../context.ts";
import type { Container } from "../records/container.ts";
import { containerEvent } from "../records/container-event.ts";
import type { ExecSession, TerminalSize } from "../records/runtime.ts";
import { execSpecOf } from "../spec/exec-spec.ts";

interface Entry {
  exec: Exec;
  /** Settles when the process started or failed to start. */
  readonly session: Promise<ExecSession>;
  readonly began: (session: ExecSession | Promise<never>) => void;
}

/** How long an ended exec stays visible; dockerd forgets it after five to ten minutes (moby `execCommandGC`). */
const KEPT_MS = 300_000;

/** How long a resize waits for the process, as in moby: clients send the size right after they request the start. */
const RESIZE_WAIT_MS = 10_000;

/** The command in event texts: program, space, arguments. The space stays even without arguments. */
function commandLine({ cmd: [program = "", ...rest] }: ExecRequest): string {
  return `${program} ${rest.join(" ")}`;
}

type ExecContext = Pick<Context, "registry" | "runtime" | "random" | "events" | "log" | "host">;

/** The execs of running containers. They are kept in memory, since no exec outlives the service. */
export class Execs {
  readonly #context: ExecContext;
  readonly #entries = new Map<string, Entry>();

  constructor(context: ExecContext) {
    this.#context = context;
  }

  of(id: ContainerId): readonly string[] {
    return [...this.#entries.values()]
      .filter(({ exec }) => exec.containerId === id && exec.running)
      .map(({ exec }) => exec.id);
  }

  forget(id: ContainerId): void {
    for (const [execId, { exec }] of this.#entries) if (exec.containerId === id) this.#entries.delete(execId);
  }

  create(actor: Actor, ref: string, request: ExecRequest): string {
    const container = this.#context.registry.resolve(actor, ref);
    if (request.cmd.length === 0) throw new EngineError("invalid", "No exec command specified");
    this.#assertAllowed(actor, container, request);
    this.#mustRun(container.id, ref);
    const id = this.#context.random.execId();
    let began: Entry["began"] = () => {};
    const session = new Promise<ExecSession>((resolve) => {
      began = resolve;
    });
    session.catch(() => {});
    const exec = { id, containerId: container.id, request, running: false, pid: 0, exitCode: null };
    this.#entries.set(id, { exec, session, began });
    containerEvent(this.#context, container, `exec_create: ${commandLine(request)}`, { execID: id });
    return id;
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
    if (exec.exitCode !== null) throw new EngineError("conflict", `Error: Exec command ${execId} has already run`);
    if (exec.running) throw new EngineError("conflict", `Error: Exec command ${execId} is already running`);
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
        ...execSpecOf(container, { ...exec.request, attachStdin }, options.size),
        detached: options.detach,
      };
      const session = await this.#context.runtime.exec(exec.containerId, exec.id, spec);
      entry.began(session);
      entry.exec = { ...exec, running: true, pid: session.pid };
      containerEvent(this.#context, container, `exec_start: ${commandLine(exec.request)}`, { execID: exec.id });
      session.exit.then(
        ({ exitCode }) => {
          this.#end(entry, exitCode);
          containerEvent(this.#context, container, "exec_die", { execID: exec.id, exitCode: String(exitCode) });
        },
        (fault: unknown) =>
          this.#context.log.warn({ exec: exec.id, err: fault }, "failed to record the end of an exec"),
      );
      if (options.detach) session.detach();
      return session;
    } catch (thrown) {
      // 20.10 answers this for every cause.
      this.#end(entry, 126);
      entry.began(Promise.reject(thrown));
      throw thrown;
    }
  }

  #end(entry: Entry, exitCode: number): void {
    entry.exec = { ...entry.exec, running: false, exitCode };
    setTimeout(() => this.#entries.delete(entry.exec.id), KEPT_MS).unref();
  }

  async resize(actor: Actor, execId: string, size: TerminalSize): Promise<void> {
    const { exec, session } = this.#find(actor, execId);
    if (exec.exitCode !== null) throw new EngineError("conflict", `Exec ${execId} is not running`);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const fault = new EngineError("failed", "timeout waiting for exec session ready");
      timer = setTimeout(reject, RESIZE_WAIT_MS, fault);
    });
    const ready = await Promise.race([session, late]).finally(() => clearTimeout(timer));
    await ready.resize(size);
  }

  /** Runs at create and at start: the user's constraints may change in between. */
  #assertAllowed(actor: Actor, { hostConfig }: Container, request: ExecRequest): void {
    assertExecAllowed(actor, request, privilegesOf(hostConfig, this.#context.host));
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
    throw new EngineError("conflict", `Container ${id} is not running`);
  }
}
