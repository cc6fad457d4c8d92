import type { Actor } from "../../engine/actor.ts";
import { EngineError, isOutage } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import type { Context } from "../context.ts";
import { removeAnonymousVolumes } from "../create/create.ts";
import type { Container } from "../records/container.ts";
import { containerEvent } from "../records/container-event.ts";
import { isOver, isRunning } from "../records/state.ts";
import type { RemoveContext } from "./contexts.ts";
import { releaseHost } from "./host-resources.ts";
import { beginEnd, endProcess, orForgotten } from "./stop.ts";

function inProgress(ref: string): EngineError {
  return new EngineError("conflict", `removal of container ${ref} is already in progress`);
}

/** How soon a removal that a full disk or an absent database interrupted is tried again. */
const TRY_AGAIN_MS = 5_000;

/**
 * Removes everything that belongs to a stopped container. What an outage interrupts is finished later, even though the caller is told of
 * the failure.
 */
export async function removeStopped(
  context: RemoveContext,
  id: ContainerId,
  options: { readonly volumes: boolean },
): Promise<void> {
  const { registry, supervisor, log } = context;
  try {
    await removeNow(context, id, options);
  } catch (thrown) {
    if (isOutage(thrown) && registry.intentOf(id)?.kind === "remove")
      supervisor.later(id, TRY_AGAIN_MS, () => {
        removeStopped(context, id, options).catch((fault: unknown) =>
          log.error({ container: id, err: fault }, "failed to finish a removal"),
        );
      });
    throw thrown;
  }
}

/** Deletes the row last, so the next start finishes a removal that crashed. */
function removeNow(context: RemoveContext, id: ContainerId, options: { readonly volumes: boolean }): Promise<void> {
  return context.locks.hold(id, async () => {
    const { registry, runtime, files, supervisor } = context;
    const found = registry.get(id);
    if (!found) return;
    if (isRunning(found.state))
      throw new EngineError(
        "conflict",
        `cannot remove container "${found.name}": container is running: stop the container before removing or force remove`,
      );
    const container = await registry.update(
      id,
      (before) => ({ ...before, state: { ...before.state, status: "removing" } }),
      { kind: "remove", volumes: options.volumes },
    );
    await releaseHost(context, id);
    await runtime.remove(id);
    await files.remove(id);
    if (options.volumes) await removeAnonymousVolumes(context, container);
    await registry.delete(id);
    containerEvent(context, container, "destroy");
    supervisor.tellRemoved(id, { exitCode: container.state.exitCode, exitedAt: container.state.finishedAt ?? "" });
  });
}

interface RemoveOptions {
  readonly force: boolean;
  readonly volumes: boolean;
}

async function notRunning(
  context: Pick<Context, "registry" | "locks" | "supervisor" | "runtime" | "events">,
  container: Container,
  options: RemoveOptions,
): Promise<void> {
  const { state, name } = container;
  if (!options.force) {
    if (!isRunning(state) && state.status !== "restarting") return;
    if (state.status === "paused")
      throw new EngineError(
        "conflict",
        `cannot remove container "${name}": container is paused and must be unpaused first`,
      );
    throw new EngineError(
      "conflict",
      `cannot remove container "${name}": container is ${state.status}: stop the container before removing or force remove`,
    );
  }
  // A start in progress finishes first; its process is then ended like any other.
  await endForRemoval(context, container, options);
}

/** Kills the process of a container that is being removed, if it runs. */
async function endForRemoval(
  context: Pick<Context, "registry" | "locks" | "supervisor" | "runtime" | "events">,
  container: Container,
  { volumes }: { readonly volumes: boolean },
): Promise<void> {
  const { id } = container;
  const intent = { kind: "remove", volumes } as const;
  const ending = await beginEnd(context, id, () =>
    context.registry.update(id, (before) => ({ ...before, stoppedByUser: true }), intent),
  );
  if (typeof ending === "string") return;
  await orForgotten(context, container, "remove", () => endProcess(context, ending, { timeoutSeconds: 0 }));
}

/** Finishes a forced removal that was interrupted while the process ran. */
export async function finishRemoval(
  context: RemoveContext,
  container: Container,
  options: { readonly volumes: boolean },
): Promise<void> {
  await endForRemoval(context, container, options);
  await removeStopped(context, container.id, options);
}

/** Removes an `AutoRemove` container whose start or restart failed, before the client receives the error (as moby does). */
export async function removeAfterFailedStart(context: RemoveContext, actor: Actor, ref: string): Promise<void> {
  const { id, hostConfig, state } = context.registry.resolve(actor, ref);
  if (hostConfig.AutoRemove && isOver(state)) await removeStopped(context, id, { volumes: true });
}

/** `DELETE /containers/{id}`. Rejects a second removal while the first is in progress. */
export async function removeContainer(
  context: RemoveContext,
  removing: Set<ContainerId>,
  actor: Actor,
  ref: string,
  options: RemoveOptions,
): Promise<void> {
  const container = context.registry.resolve(actor, ref);
  const { id } = container;
  if (removing.has(id)) throw inProgress(ref);
  removing.add(id);
  try {
    await notRunning(context, container, options);
    await removeStopped(context, id, { volumes: options.volumes });
  } finally {
    removing.delete(id);
  }
}
