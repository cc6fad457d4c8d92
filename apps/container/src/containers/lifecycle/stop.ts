import type { Actor } from "../../engine/actor.ts";
import { EngineError, isEngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import type { Changed } from "../containers.ts";
import type { Context } from "../context.ts";
import type { Container } from "../records/container.ts";
import { containerEvent } from "../records/container-event.ts";
import type { Exit } from "../records/runtime.ts";
import { SIGKILL, signalNumber } from "../records/signals.ts";
import { isRunning } from "../records/state.ts";
import type { Intent } from "../records/store.ts";
import type { StartContext } from "./contexts.ts";
import { admit, bringUp } from "./start.ts";

export interface StopOptions {
  readonly signal?: string;
  /** 0 kills at once; a negative value waits forever. */
  readonly timeoutSeconds?: number;
}

const DEFAULT_TIMEOUT_SECONDS = 10;

/** Allows for a runtime call that times out, a direct kill of the process, and the cleanup of a hung shim. */
const KILLED_WITHIN_MS = 60_000;

/** A cancellable timeout; never reached if `ms` is undefined. */
function after(ms: number | undefined): { readonly reached: Promise<"timeout">; cancel(): void } {
  let cancel = () => {};
  const reached = new Promise<"timeout">((resolve) => {
    if (ms === undefined) return;
    const timer = setTimeout(resolve, ms, "timeout");
    cancel = () => clearTimeout(timer);
  });
  return { reached, cancel };
}

/** Sends the signal and emits the event. Ignores a process that has already exited: its exit is being handled. */
async function signalRunning(
  context: Pick<Context, "runtime" | "events">,
  container: Container,
  signal: number,
): Promise<void> {
  const { runtime } = context;
  const { id, state } = container;
  try {
    await runtime.kill(id, signal);
    containerEvent(context, container, "kill", { signal: String(signal) });
    // runc thaws the container on SIGKILL, so there may be nothing to resume.
    if (state.status === "paused") await runtime.resume(id).catch(() => undefined);
  } catch (thrown) {
    if (!isEngineError(thrown, "not-found")) throw thrown;
  }
}

/** The next exit of the container; undefined if it no longer runs. */
function comingExit(
  { registry, supervisor }: Pick<Context, "registry" | "supervisor">,
  id: ContainerId,
): Promise<Exit> | undefined {
  const container = registry.get(id);
  return container && isRunning(container.state) ? supervisor.nextExit(id) : undefined;
}

/** Ends the process, first with its stop signal, then with SIGKILL. Settles when its resources are released. */
export async function endProcess(
  context: Pick<Context, "registry" | "supervisor" | "runtime" | "events">,
  container: Container,
  options: StopOptions,
): Promise<void> {
  const exit = comingExit(context, container.id);
  if (exit === undefined) return;
  const seconds = options.timeoutSeconds ?? container.config.StopTimeout ?? DEFAULT_TIMEOUT_SECONDS;
  if (seconds !== 0) {
    await signalRunning(context, container, signalNumber(options.signal || container.config.StopSignal || "SIGTERM"));
    const limit = after(seconds < 0 ? undefined : seconds * 1000);
    const first = await Promise.race([exit, limit.reached]);
    limit.cancel();
    if (first !== "timeout") return;
  }
  await signalRunning(context, container, SIGKILL);
  await killed(container, exit);
}

/** Awaits the exit after a SIGKILL. Throws `unavailable` if the process or the runtime is stuck. */
async function killed({ id }: Container, exit: Promise<Exit>): Promise<void> {
  const limit = after(KILLED_WITHIN_MS);
  const first = await Promise.race([exit, limit.reached]);
  limit.cancel();
  if (first === "timeout")
    throw new EngineError(
      "unavailable",
      `container ${id} did not end within ${KILLED_WITHIN_MS / 1000} s of SIGKILL; try again, or look at its process on the host`,
    );
}

type WaitingContext = Pick<Context, "registry" | "locks" | "supervisor">;

/** Cancels the restart that a container waits for. The caller holds its lock. */
async function callOff({ registry, supervisor }: WaitingContext, id: ContainerId): Promise<boolean> {
  if (registry.get(id)?.state.status !== "restarting") return false;
  supervisor.callOffRestart(id);
  await registry.update(id, (before) => ({
    ...before,
    stoppedByUser: true,
    state: { ...before.state, status: "exited" },
  }));
  return true;
}

/**
 * Cancels a pending restart and marks the container as stopped. Returns false if the container is not between two restarts: a start
 * already in progress finishes first, and the caller has to end its process.
 */
function callOffRestart(context: WaitingContext, id: ContainerId): Promise<boolean> {
  return context.locks.hold(id, () => callOff(context, id));
}

/**
 * Has `mark` record that a client ends a running container, so that its policy does not restart it, or calls its restart off. It holds
 * the container's lock, since a process that ends at this moment has its exit handled: that one would not see the mark. Returns the
 * running container.
 */
export function beginEnd(
  context: WaitingContext,
  id: ContainerId,
  mark: () => Promise<Container>,
): Promise<Container | "called-off" | "not-running"> {
  return context.locks.hold(id, async () => {
    if (await callOff(context, id)) return "called-off";
    const newest = context.registry.get(id);
    return newest && isRunning(newest.state) ? await mark() : "not-running";
  });
}

/** `beginEnd` of a stop. A full disk must not keep anybody from stopping what fills it. */
function beginStop(context: WaitingContext, id: ContainerId, intent?: Intent) {
  const { registry } = context;
  return beginEnd(context, id, () => registry.observe(id, (before) => ({ ...before, stoppedByUser: true }), intent));
}

/** `POST /containers/{id}/stop`. Returns `unchanged` if the container does not run. */
export async function stopContainer(
  context: WaitingContext & Pick<Context, "runtime" | "events">,
  actor: Actor,
  ref: string,
  options: StopOptions,
): Promise<Changed> {
  const found = context.registry.resolve(actor, ref);
  if (options.signal) signalNumber(options.signal);
  const stopping = await beginStop(context, found.id, { kind: "stop", ...options });
  if (stopping === "called-off") return "changed";
  if (stopping === "not-running") return "unchanged";
  await orForgotten(context, found, "stop", () => stopRunning(context, stopping, options));
  return "changed";
}

/**
 * Runs `work`, which ends the container's process. After a failure the container is as before, and no restart of the service goes on
 * with what the client was told has failed.
 */
export async function orForgotten<T>(
  { registry }: Pick<Context, "registry">,
  { id, stoppedByUser }: Container,
  kind: Intent["kind"],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (registry.get(id) !== undefined && registry.intentOf(id)?.kind === kind)
      await registry.observe(id, (before) => ({ ...before, stoppedByUser }), "done");
    throw thrown;
  }
}

/** Ends the process and emits the `stop` event. */
async function stopRunning(
  context: Pick<Context, "registry" | "supervisor" | "runtime" | "events">,
  container: Container,
  options: StopOptions,
): Promise<void> {
  if (!isRunning(container.state)) return;
  await endProcess(context, container, options);
  containerEvent(context, container, "stop");
}

/** `POST /containers/{id}/restart`. Neither the restart policy nor `--rm` applies to the exit in between. */
export async function restartContainer(
  context: StartContext,
  policyExempt: Set<ContainerId>,
  actor: Actor,
  ref: string,
  options: StopOptions,
): Promise<void> {
  const container = context.registry.resolve(actor, ref);
  if (options.signal) signalNumber(options.signal);
  const { registry } = context;
  // A refused restart leaves the container running.
  await admit(context, actor, container);
  policyExempt.add(container.id);
  try {
    if (isRunning(container.state))
      await registry.update(container.id, (before) => before, { kind: "restart", ...options });
    if (container.state.status !== "restarting" || !(await callOffRestart(context, container.id)))
      await stopRunning(context, registry.resolve(actor, container.id), options);
    await context.locks.hold(container.id, async () => {
      const stopped = registry.resolve(actor, container.id);
      if (isRunning(stopped.state)) return;
      await bringUp(context, container.id, await admit(context, actor, stopped));
    });
  } finally {
    policyExempt.delete(container.id);
    // Drop the intent, so that the next boot does not retry a refused restart.
    if (registry.intentOf(container.id)?.kind === "restart")
      await registry.observe(container.id, (before) => before, "done");
  }
  containerEvent(context, container, "restart");
}

type KillContext = Pick<Context, "registry" | "locks" | "supervisor" | "runtime" | "events">;

/** `POST /containers/{id}/kill`: sends a signal, and awaits the end after a SIGKILL, as moby does. */
export async function killContainer(context: KillContext, actor: Actor, ref: string, signal: string): Promise<void> {
  try {
    await sendSignal(context, actor, ref, signalNumber(signal || "SIGKILL"));
  } catch (thrown) {
    if (!isEngineError(thrown)) throw thrown;
    throw new EngineError(thrown.kind, `cannot kill container: ${ref}: ${thrown.message}`, { cause: thrown });
  }
}

async function sendSignal(context: KillContext, actor: Actor, ref: string, number: number): Promise<void> {
  const found = context.registry.resolve(actor, ref);
  const ends = number === SIGKILL || number === signalNumber(found.config.StopSignal || "SIGTERM");
  // A process may survive other signals, so record no stop that a restart of the service would finish.
  const intent = number === SIGKILL ? ({ kind: "stop", timeoutSeconds: 0 } as const) : undefined;
  if (ends && (await beginStop(context, found.id, intent)) === "called-off") return;
  if (found.state.status === "restarting" && (await callOffRestart(context, found.id))) return;
  const container = context.registry.resolve(actor, found.id);
  if (!isRunning(container.state)) throw new EngineError("conflict", `container ${container.id} is not running`);
  await orForgotten(context, found, "stop", async () => {
    const exit = number === SIGKILL ? comingExit(context, container.id) : undefined;
    await deliver(context, container, number, ends ? "ends" : "stays");
    containerEvent(context, container, "kill", { signal: String(number) });
    if (exit !== undefined) await killed(container, exit);
  });
}

async function deliver({ runtime }: KillContext, { id, state }: Container, signal: number, process: "ends" | "stays") {
  try {
    await runtime.kill(id, signal);
    if (state.status === "paused" && process === "ends")
      await runtime.resume(id).catch((thrown: unknown) => {
        // runc thaws the container on SIGKILL, so there may be nothing to resume.
        if (signal !== SIGKILL) throw thrown;
      });
  } catch (thrown) {
    if (isEngineError(thrown, "not-found")) throw new EngineError("conflict", `container ${id} is not running`);
    throw thrown;
  }
}
