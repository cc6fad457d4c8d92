import type { Actor } from "../../engine/actor.ts";
import { EngineError, isEngineError } from "../../engine/errors.ts";
import type { Context } from "../context.ts";
import { containerEvent } from "../records/container-event.ts";
import { paused, resumed } from "../records/state.ts";

/** `POST /containers/{id}/pause`. Holds the lock so that no exit is handled between the freeze and its record. */
export function pauseContainer(
  context: Pick<Context, "registry" | "locks" | "runtime" | "events">,
  actor: Actor,
  ref: string,
): Promise<void> {
  const { registry, runtime, locks } = context;
  const { id } = registry.resolve(actor, ref);
  return locks.hold(id, async () => {
    const { status } = registry.resolve(actor, id).state;
    if (status === "paused") throw new EngineError("conflict", `Container ${id} is already paused`);
    if (status !== "running") throw new EngineError("conflict", `Container ${id} is not running`);
    try {
      await runtime.pause(id);
    } catch (thrown) {
      if (!isEngineError(thrown, "not-found")) throw thrown;
      throw new EngineError("conflict", `Container ${id} is not running`, { cause: thrown });
    }
    const container = await registry.update(id, (before) => ({ ...before, state: paused(before.state) }));
    containerEvent(context, container, "pause");
  });
}

/** `POST /containers/{id}/unpause`. Fails with 500 if the container is not paused, as Docker does. */
export function unpauseContainer(
  context: Pick<Context, "registry" | "locks" | "runtime" | "events">,
  actor: Actor,
  ref: string,
): Promise<void> {
  const { registry, runtime, locks } = context;
  const { id } = registry.resolve(actor, ref);
  return locks.hold(id, async () => {
    if (registry.resolve(actor, id).state.status !== "paused")
      throw new EngineError("failed", `Container ${id} is not paused`);
    await runtime.resume(id);
    const container = await registry.update(id, (before) => ({ ...before, state: resumed(before.state) }));
    containerEvent(context, container, "unpause");
  });
}
