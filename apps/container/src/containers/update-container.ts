import { EngineError } from "../errors.ts";
import type { Actor } from "../policy/actor.ts";
import { authorize } from "./authorize.ts";
import type { Resources, RestartPolicy } from "./config.ts";
import type { ContainerId } from "./container.ts";
import { containerEvent } from "./container-event.ts";
import type { Context } from "./context.ts";
import { isRunning } from "./state.ts";
import { specResources } from "./to-spec.ts";

/** `POST /containers/{id}/update`: the cgroup first, the record after it, so that a refused limit changes nothing. */
export const updateContainer = async (
  context: Context,
  actor: Actor,
  ref: string,
  { RestartPolicy: policy, ...resources }: Partial<Resources> & { readonly RestartPolicy?: RestartPolicy },
): Promise<{ readonly warnings: readonly string[] }> => {
  const { id, owner } = context.registry.resolve(actor, ref);
  // What it holds grows: two updates at once, or a create, must not exceed a quota together.
  return await context.owners.hold(owner ?? "", () => updateHeld(context, actor, id, { policy, resources }));
};

const updateHeld = async (
  context: Context,
  actor: Actor,
  ref: ContainerId,
  { policy, resources }: { readonly policy: RestartPolicy | undefined; readonly resources: Partial<Resources> },
): Promise<{ readonly warnings: readonly string[] }> => {
  const container = context.registry.resolve(actor, ref);
  const { id, hostConfig, state } = container;
  if (policy && policy.Name !== "" && policy.Name !== "no" && hostConfig.AutoRemove)
    throw new EngineError(
      "invalid",
      "Restart policy cannot be updated because AutoRemove is enabled for the container",
    );
  if (state.status === "removing" || state.status === "dead")
    throw new EngineError(
      "conflict",
      `Cannot update container ${id}: Container is marked for removal and cannot be "update".`,
    );
  const change = { ...resources, ...(policy?.Name ? { RestartPolicy: policy } : {}) };
  const next = { ...hostConfig, ...change };
  await authorize(context, actor, { ...container, hostConfig: next });
  if (isRunning(state) && Object.keys(resources).length > 0) await context.runtime.update(id, specResources(next));
  const after = await context.registry.update(id, (before) => ({
    ...before,
    hostConfig: { ...before.hostConfig, ...change },
  }));
  containerEvent(context, after, "update");
  return { warnings: [] };
};
