import type { Actor } from "../../engine/actor.ts";
import { EngineError, isEngineError, isOutage } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import type { Context } from "../context.ts";
import { containerEvent } from "../records/container-event.ts";
import type { Registry } from "../records/registry.ts";
import { paused, resumed } from "../records/state.ts";
import type { Intent } from "../records/store.ts";

type UnpauseContext = Pick<Context, "registry" | "locks" | "runtime" | "events">;
type PauseContext = UnpauseContext & Pick<Context, "supervisor">;

/** `POST /containers/{id}/pause`. */
export function pauseContainer(context: PauseContext, actor: Actor, ref: string): Promise<void> {
  return pause(context, actor, ref, undefined);
}

/**
 * Pauses the container for a commit. Records that as an intent, so that a restart after a crash resumes the container. An intent that is
 * already recorded takes precedence.
 */
export function pauseForCommit(context: PauseContext, actor: Actor, ref: string): Promise<void> {
  return pause(context, actor, ref, { kind: "commit" });
}

/** Holds the lock so that no exit is handled, and no new process started, between the intent, the freeze and its record. */
function pause(
  context: PauseContext,
  actor: Actor,
  ref: string,
  intent: (Intent & { readonly kind: "commit" }) | undefined,
): Promise<void> {
  const { registry, runtime, locks } = context;
  const { id } = registry.resolve(actor, ref);
  return locks.hold(id, async () => {
    const { status } = registry.resolve(actor, id).state;
    if (status === "paused") throw new EngineError("conflict", `Container ${id} is already paused`);
    if (status !== "running") throw new EngineError("conflict", `container ${id} is not running`);
    if (intent !== undefined && registry.intentOf(id) === undefined)
      await registry.update(id, (before) => before, intent);
    try {
      await runtime.pause(id);
    } catch (thrown) {
      if (isOutage(thrown)) await undoPause(context, id);
      else if (intent !== undefined) await registry.observe(id, (before) => before, doneWithCommit(registry, id));
      if (!isEngineError(thrown, "not-found")) throw thrown;
      throw new EngineError("conflict", `container ${id} is not running`, { cause: thrown });
    }
    const container = await registry.observe(id, (before) => ({ ...before, state: paused(before.state) }));
    containerEvent(context, container, "pause");
  });
}

/** How soon a container that could not be resumed is resumed. */
const RESUME_AGAIN_MS = 500;

/**
 * Resumes a container whose pause an outage cut off: its processes may be frozen while it counts as running. Where that fails too, again
 * until it succeeds or another call has decided. A commit's intent stays until then. The caller has the container's lock.
 */
async function undoPause(context: PauseContext, id: ContainerId): Promise<void> {
  const { registry, runtime, supervisor, locks } = context;
  try {
    await runtime.resume(id);
  } catch (thrown) {
    if (isOutage(thrown)) {
      const again = () => (registry.get(id)?.state.status === "running" ? undoPause(context, id) : Promise.resolve());
      supervisor.retry(RESUME_AGAIN_MS, () => void locks.hold(id, again));
      return;
    }
  }
  if (doneWithCommit(registry, id) !== undefined) await registry.observe(id, (before) => before, "done");
}

/** `POST /containers/{id}/unpause`. Fails with 500 if the container is not paused, as Docker does. */
export function unpauseContainer(context: UnpauseContext, actor: Actor, ref: string): Promise<void> {
  const { registry, runtime, locks } = context;
  const { id } = registry.resolve(actor, ref);
  return locks.hold(id, async () => {
    if (registry.resolve(actor, id).state.status !== "paused")
      throw new EngineError("failed", `Container ${id} is not paused`);
    try {
      await unpause(context, id);
    } catch (thrown) {
      // The runtime may have been away with the container resumed.
      if (isOutage(thrown)) await runtime.pause(id).catch(() => undefined);
      throw thrown;
    }
  });
}

/** The caller has the lock of the container, which is paused. */
async function unpause(context: UnpauseContext, id: ContainerId): Promise<void> {
  const { registry, runtime } = context;
  await runtime.resume(id);
  const container = await registry.observe(
    id,
    (before) => ({ ...before, state: resumed(before.state) }),
    doneWithCommit(registry, id),
  );
  containerEvent(context, container, "unpause");
}

/**
 * Resumes a container that a commit paused, unless its process ended or another call resumed it. Where that fails, again until it
 * succeeds. Never throws.
 */
export function endPauseOfCommit(
  context: UnpauseContext & Pick<Context, "supervisor" | "log">,
  id: ContainerId,
): Promise<void> {
  const { registry, locks, supervisor, log } = context;
  return locks.hold(id, async () => {
    if (registry.get(id)?.state.status !== "paused") return;
    try {
      await unpause(context, id);
    } catch (thrown) {
      // The process has ended, and its exit is handled once the lock is free.
      if (isEngineError(thrown, "not-found")) return;
      log.error({ container: id, err: thrown }, "failed to resume a container after a commit");
      supervisor.retry(RESUME_AGAIN_MS, () => {
        if (registry.intentOf(id)?.kind === "commit") void endPauseOfCommit(context, id);
      });
    }
  });
}

function doneWithCommit(registry: Registry, id: ContainerId): "done" | undefined {
  return registry.intentOf(id)?.kind === "commit" ? "done" : undefined;
}
