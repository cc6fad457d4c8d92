import { startTimePorts } from "@berth/port-spec";
import { parseStartPorts } from "@berth/port-spec/json";
import type { Actor } from "../../engine/actor.ts";
import { EngineError, isEngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import { startStep } from "../../engine/telemetry.ts";
import { mayReachHost, type PortRights } from "../../policy/containers.ts";
import { holdQuotas } from "../../policy/shared-quotas.ts";
import type { Changed } from "../containers.ts";
import type { Context } from "../context.ts";
import { authorize } from "../create/authorize.ts";
import { assertBindsUnmoved, resolveBinds } from "../create/bind-sources.ts";
import type { Container } from "../records/container.ts";
import { containerEvent } from "../records/container-event.ts";
import { joinedNetworks } from "../records/joined-networks.ts";
import { membershipEvent } from "../records/network-event.ts";
import { SIGKILL } from "../records/signals.ts";
import { StartError } from "../records/start-error.ts";
import { started, startFailed } from "../records/state.ts";
import { volumeEvents } from "../records/volume-event.ts";
import { toSpec } from "../spec/to-spec.ts";
import type { BringUpContext, StartContext } from "./contexts.ts";

import { prepare, releaseInAnyCase, runningPid, sharingPid } from "./host-resources.ts";

/** Exit code and error of a failed start: 126 and 127 if the program is to blame, 128 otherwise (moby `translateContainerdStartErr`). */
function failureOf(thrown: unknown): { readonly exitCode: number; readonly error: string } {
  return {
    exitCode: thrown instanceof StartError ? thrown.exitCode : 128,
    error: thrown instanceof Error ? thrown.message : String(thrown),
  };
}

/** Ends a process that is not watched yet; it may have exited already. */
async function endTask({ runtime }: Pick<Context, "runtime">, id: ContainerId): Promise<void> {
  const unlessEnded = (thrown: unknown): void => {
    if (!isEngineError(thrown, "not-found")) throw thrown;
  };
  await runtime.kill(id, SIGKILL).catch(unlessEnded);
  await runtime.wait(id).catch(unlessEnded);
}

/**
 * Starts the container: records the intent, acquires sandbox and leases, starts the task and publishes its ports, then records it as
 * running. A failure undoes all of it, so the container can be started later. The caller holds the container's lock.
 */
export async function bringUp(context: BringUpContext, id: ContainerId, rights?: PortRights): Promise<void> {
  const { registry, runtime, ports, volumes, supervisor, health, clock, files } = context;
  const placeGroup = context.placeGroup(context.registry.get(id)?.owner);
  // A restart keeps its own intent until the container runs.
  const intent = registry.intentOf(id)?.kind === "restart" ? undefined : ({ kind: "start" } as const);
  const container = await startStep("intent", id, () =>
    registry.update(id, (before) => ({ ...before, stoppedByUser: false }), intent),
  );
  let running: Container;
  let begun = false;
  try {
    await assertBindsUnmoved(context, container.mounts);
    for (const { type, source } of container.mounts) if (type === "volume") await volumes.ready(source);
    const prepared = await prepare(context, container, rights);
    const spec = toSpec(container, {
      network: prepared.network,
      linkEnvironment: prepared.linkEnvironment,
      interfaceSysctls: prepared.interfaceSysctls,
      files: files.paths(id),
      pidOf: (ref) => runningPid(context, ref, "PID"),
      ipcPidOf: (ref) => sharingPid(context, ref),
      userLogs: context.host.userLogs,
      placeGroup,
    });
    const publishTo = prepared.target;
    const [task, published] = await Promise.allSettled([
      startStep("process", id, () => runtime.start(spec)),
      publishTo === undefined ? undefined : startStep("publish", id, () => ports.publish(id, publishTo)),
    ]);
    if (task.status === "rejected") throw task.reason;
    begun = true;
    if (published.status === "rejected") throw published.reason;
    const { pid } = task.value;
    running = await startStep("record", id, () =>
      registry.update(
        id,
        (before) => ({
          ...before,
          state: started(before.state, { pid, at: clock.now() }),
          ports: { ...before.ports, last: ports.assignments(id) },
        }),
        "done",
      ),
    );
  } catch (thrown) {
    try {
      if (begun) await endTask(context, id);
      await releaseInAnyCase(context, id);
      const state = (before: Container) => startFailed(before.state, failureOf(thrown));
      await registry.observe(id, (before) => ({ ...before, state: state(before) }), "done");
    } finally {
      supervisor.tellStartFailed(id);
    }
    throw thrown;
  }
  for (const network of joinedNetworks(context, id)) membershipEvent(context, network, "connect", running);
  volumeEvents(context, running, "mount");
  containerEvent(context, running, "start");
  supervisor.watch(id);
  await health.begin(running);
}

interface LegacyBody {
  readonly apiVersion: string;
  readonly body: unknown;
}

type Change = (container: Container) => Container;

/** Applies the port bindings of a legacy start body (old API versions). Returns the change and the rule's warnings. */
function replacePorts(
  { config, hostConfig }: Container,
  { apiVersion, body }: LegacyBody,
): { readonly replace?: Change; readonly warnings: readonly string[] } {
  const asked = parseStartPorts(apiVersion, body);
  const created = { ExposedPorts: config.ExposedPorts, HostConfig: hostConfig };
  const ports = asked.ok ? startTimePorts(apiVersion, asked.value, created) : asked;
  if (!ports.ok) throw new EngineError("invalid", ports.error.message);
  const settled = ports.value;
  if (settled === undefined) return { warnings: [] };
  const replace: Change = (before) => ({
    ...before,
    config: { ...before.config, ExposedPorts: settled.exposedPorts },
    hostConfig: { ...before.hostConfig, PortBindings: settled.portBindings },
    ports: { exposed: settled.exposed, wishes: settled.wishes },
  });
  return { replace, warnings: settled.warnings };
}

/**
 * Authorizes the actor to run the container with `change` applied, then persists the change. Bind sources are resolved now, and the
 * resolved paths are what gets authorized and mounted.
 */
export function admit(
  context: Pick<
    Context,
    "registry" | "owners" | "images" | "networks" | "volumes" | "files" | "storage" | "held" | "host"
  >,
  actor: Actor,
  container: Container,
  change?: Change,
): Promise<PortRights | undefined> {
  return holdQuotas(context.owners, actor, container.owner, async () => {
    const mounts = await resolveBinds(context, actor, container.mounts);
    const rights = await authorize(context, actor, { ...(change?.(container) ?? container), mounts });
    const hostServices = actor.kind === "user" ? mayReachHost(actor) : container.hostServices;
    const moved = mounts.some(({ real }, at) => real !== container.mounts[at]?.real);
    if (moved || change !== undefined || hostServices !== container.hostServices)
      await context.registry.update(container.id, (before) => ({
        ...(change?.(before) ?? before),
        mounts,
        hostServices,
      }));
    return rights;
  });
}

/** `POST /containers/{id}/start`. Returns `unchanged` if the container already runs. */
export function startContainer(
  context: StartContext,
  actor: Actor,
  ref: string,
  options: { readonly legacy?: LegacyBody } = {},
): Promise<{ readonly changed: Changed; readonly warnings: readonly string[] }> {
  const { id } = context.registry.resolve(actor, ref);
  return context.locks.hold(id, async () => {
    const container = context.registry.resolve(actor, id);
    const { status } = container.state;
    if (status === "paused") throw new EngineError("conflict", "cannot start a paused container, try unpause instead");
    if (status === "running") return { changed: "unchanged", warnings: [] };
    if (status === "removing" || status === "dead")
      throw new EngineError("conflict", "container is marked for removal and cannot be started");
    const { replace, warnings } =
      options.legacy === undefined ? { warnings: [] } : replacePorts(container, options.legacy);
    const rights = await admit(context, actor, container, replace);
    if (status === "restarting") context.supervisor.callOffRestart(id);
    await bringUp(context, id, rights);
    return { changed: "changed", warnings };
  });
}
