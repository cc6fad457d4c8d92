import { EngineError } from "../errors.ts";
import type { Actor } from "../policy/actor.ts";
import type { Container, ContainerId } from "./container.ts";
import { containerEvent } from "./container-event.ts";
import type { Context } from "./context.ts";
import { removeAnonymousVolumes } from "./create-container.ts";
import { releaseHost } from "./start-container.ts";
import { isRunning } from "./state.ts";
import { callOffRestart, endProcess } from "./stop-container.ts";

const inProgress = (ref: string): EngineError =>
  new EngineError("conflict", `removal of container ${ref} is already in progress`);

/** Takes away everything of a container that has no process. The row goes last: a crash on the way is finished at the next start. */
export const removeStopped = (
  context: Context,
  id: ContainerId,
  options: { readonly volumes: boolean },
): Promise<void> =>
  context.locks.hold(id, async () => {
    const { registry, runtime, files, supervisor } = context;
    const found = registry.get(id);
    if (!found) return;
    if (isRunning(found.state))
      throw new EngineError(
        "conflict",
        `You cannot remove a running container ${id}. Stop the container before attempting removal or force remove`,
      );
    const container = await registry.update(
      id,
      (before) => ({ ...before, state: { ...before.state, status: "removing" } }),
      "remove",
    );
    await releaseHost(context, id);
    await runtime.remove(id);
    await files.remove(id);
    if (options.volumes) await removeAnonymousVolumes(context, container);
    await registry.delete(id);
    containerEvent(context, container, "destroy");
    supervisor.tellRemoved(id, { exitCode: container.state.exitCode, exitedAt: container.state.finishedAt ?? "" });
  });

const notRunning = async (context: Context, container: Container, force: boolean): Promise<void> => {
  const { state, id } = container;
  if (!force) {
    if (!isRunning(state) && state.status !== "restarting") return;
    if (state.status === "paused")
      throw new EngineError(
        "conflict",
        `You cannot remove a paused container ${id}. Unpause and then stop the container before attempting removal or force remove`,
      );
    throw new EngineError(
      "conflict",
      `You cannot remove a ${state.status} container ${id}. Stop the container before attempting removal or force remove`,
    );
  }
  // A start that is under way goes first: what it brings up is ended with the rest.
  if (await callOffRestart(context, id)) return;
  const now = context.registry.get(id);
  if (now === undefined || !isRunning(now.state)) return;
  const stopping = await context.registry.update(id, (before) => ({ ...before, stoppedByUser: true }), "stop");
  await endProcess(context, stopping, { timeoutSeconds: 0 });
};

/** A container that removes itself does so too where its start failed, before the client is told of the failure (as moby does). */
export const removeAfterFailedStart = async (context: Context, actor: Actor, ref: string): Promise<void> => {
  const { id, hostConfig, state } = context.registry.resolve(actor, ref);
  const failed = state.status === "created" && state.error !== "";
  if (failed && hostConfig.AutoRemove) await removeStopped(context, id, { volumes: true });
};

/** `DELETE /containers/{id}`. A second removal at the same time is told of the first. */
export const removeContainer = async (
  context: Context,
  removing: Set<ContainerId>,
  actor: Actor,
  ref: string,
  options: { readonly force: boolean; readonly volumes: boolean },
): Promise<void> => {
  const container = context.registry.resolve(actor, ref);
  const { id } = container;
  if (removing.has(id)) throw inProgress(ref);
  removing.add(id);
  try {
    await notRunning(context, container, options.force);
    await removeStopped(context, id, { volumes: options.volumes });
  } finally {
    removing.delete(id);
  }
};
