import type { Actor } from "../../engine/actor.ts";
import { EngineError, isEngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import { holdQuotas } from "../../policy/shared-quotas.ts";
import type { Context } from "../context.ts";
import { type AuthorizeContext, authorize } from "../create/authorize.ts";
import { warningsOfResources } from "../create/rules/limits.ts";
import type { Resources, RestartPolicy } from "../records/config.ts";
import { containerEvent } from "../records/container-event.ts";
import type { SpecResources } from "../records/runtime.ts";
import { isRunning } from "../records/state.ts";
import { specResources } from "../spec/to-spec.ts";

const BEYOND_SWAP =
  "Memory limit should be smaller than already set memoryswap limit, update the memoryswap at the same time";

/** The limits of the row, and an explicit -1 for the limit of processes that the change lifts: none at all would leave it. */
function liftedResources(next: Resources, { PidsLimit }: Partial<Resources>): SpecResources {
  return { ...specResources(next), ...(PidsLimit === 0 && { pidsLimit: -1 }) };
}

/** `POST /containers/{id}/update`. Changes the cgroup before the record, so that a rejected limit changes nothing. */
export async function updateContainer(
  context: AuthorizeContext & Pick<Context, "owners" | "runtime" | "events">,
  actor: Actor,
  ref: string,
  { RestartPolicy: policy, ...resources }: Partial<Resources> & { readonly RestartPolicy?: RestartPolicy },
): Promise<{ readonly warnings: readonly string[] }> {
  const { id, owner } = context.registry.resolve(actor, ref);
  // The lock keeps concurrent updates and creates within the quotas.
  return await holdQuotas(context.owners, actor, owner, () => updateHeld(context, actor, id, { policy, resources }));
}

async function updateHeld(
  context: Pick<
    Context,
    "registry" | "runtime" | "images" | "networks" | "volumes" | "files" | "storage" | "held" | "events" | "host"
  >,
  actor: Actor,
  ref: ContainerId,
  { policy, resources }: { readonly policy: RestartPolicy | undefined; readonly resources: Partial<Resources> },
): Promise<{ readonly warnings: readonly string[] }> {
  const container = context.registry.resolve(actor, ref);
  const { id, hostConfig, state } = container;
  const cannot = (kind: EngineError["kind"], why: string, cause?: unknown) =>
    new EngineError(kind, `Cannot update container ${id}: ${why}`, { cause });
  if (policy && policy.Name !== "" && policy.Name !== "no" && hostConfig.AutoRemove)
    throw cannot("conflict", "Restart policy cannot be updated because AutoRemove is enabled for the container");
  if (state.status === "removing" || state.status === "dead")
    throw cannot("conflict", 'Container is marked for removal and cannot be "update".');
  const { Memory = 0, MemorySwap = 0 } = resources;
  if (MemorySwap === 0 && hostConfig.MemorySwap > 0 && Memory > hostConfig.MemorySwap)
    throw cannot("conflict", BEYOND_SWAP);
  const change = { ...resources, ...(policy?.Name ? { RestartPolicy: policy } : {}) };
  const next = { ...hostConfig, ...change };
  await authorize(context, actor, { ...container, hostConfig: next });
  const limited = isRunning(state) && Object.keys(resources).length > 0;
  if (limited)
    await context.runtime.update(id, liftedResources(next, change)).catch((thrown: unknown) => {
      throw isEngineError(thrown, "failed") ? cannot("failed", thrown.message, thrown) : thrown;
    });
  const write = context.registry.update(id, (before) => ({
    ...before,
    hostConfig: { ...before.hostConfig, ...change },
  }));
  const after = await write.catch(async (thrown: unknown) => {
    // The quota counts the row.
    if (limited) await context.runtime.update(id, specResources(hostConfig));
    throw thrown;
  });
  containerEvent(context, after, "update");
  return { warnings: warningsOfResources(resources) };
}
