import type { Actor } from "../../engine/actor.ts";
import { EngineError, isEngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import type { EndpointRequest, Network } from "../../networks/networks.ts";
import type { Context } from "../context.ts";
import {
  isOn,
  type LeaveContext,
  leadPorts,
  leaveInAnyCase,
  leaveNow,
  moveFiles,
  withoutNetwork,
} from "../lifecycle/leave-network.ts";
import { portTarget } from "../ports/port-target.ts";
import type { Container } from "../records/container.ts";
import { endpointKey, recordedNetworks } from "../records/joined-networks.ts";
import { membershipEvent } from "../records/network-event.ts";
import { isRunning } from "../records/state.ts";
import type { Intent } from "../records/store.ts";
import type { NetworkMembers } from "./members.ts";
import { checkJoin, checkLeave } from "./members-rules.ts";

type MembersContext = LeaveContext & Pick<Context, "events">;

/**
 * The intent for a change of a running container's networks: after a crash or a failure the container leaves the network. An operation
 * that is under way keeps its own intent.
 */
function leaving({ registry }: MembersContext, { id, state }: Container, network: Network): Intent | undefined {
  return isRunning(state) && registry.intentOf(id) === undefined ? { kind: "leave", network: network.id } : undefined;
}

/** Ends the change: nothing is left to undo or to finish. */
async function settled({ registry }: MembersContext, id: ContainerId): Promise<void> {
  if (registry.intentOf(id)?.kind === "leave") await registry.observe(id, (before) => before, "done");
}

/** Connects a running container. Its ports go with it, and its files know of it. */
async function joinNow(
  context: MembersContext,
  actor: Actor,
  network: Network,
  container: Container,
  request: EndpointRequest,
): Promise<void> {
  const { networks } = context;
  const { id, name, config } = container;
  const before = networks.sandboxOf(id);
  await networks.connect(id, name, network.id, request, config.Hostname);
  const after = networks.sandboxOf(id);
  if (before === undefined || after === undefined) return;
  const [from, to] = [portTarget(context, container, before), portTarget(context, container, after)];
  await leadPorts(context, actor, container, { from, to });
  await moveFiles(context, container, before, after);
}

/** Writes the row first, so that the next start repairs what a crash interrupts. A failure takes the container off the network. */
function connect(
  context: MembersContext,
  actor: Actor,
  network: Network,
  id: ContainerId,
  request: EndpointRequest,
): Promise<void> {
  const { locks, registry } = context;
  return locks.hold(id, async () => {
    const before = registry.resolve(actor, id);
    if (!checkJoin(before, network, [...recordedNetworks(context, before).values()], request)) return;
    const key = endpointKey(context, network, before.owner);
    const joined = await registry.update(
      id,
      (now) => ({ ...now, endpoints: { ...now.endpoints, [key]: request } }),
      leaving(context, before, network),
    );
    if (!isRunning(joined.state)) return;
    try {
      await joinNow(context, actor, network, joined, request);
    } catch (thrown) {
      await leaveInAnyCase(context, id, network.id);
      throw thrown;
    }
    await settled(context, id);
    membershipEvent(context, network, "connect", joined);
  });
}

/** Writes the row first. A failure leaves the container on the network, unless it has left it already. */
function disconnect(context: MembersContext, actor: Actor, network: Network, id: ContainerId): Promise<void> {
  const { locks, registry } = context;
  return locks.hold(id, async () => {
    const before = registry.resolve(actor, id);
    checkLeave(before, network, [...recordedNetworks(context, before).values()]);
    const left = await registry.update(
      id,
      (now) => withoutNetwork(context, now, network.id),
      leaving(context, before, network),
    );
    try {
      if (isRunning(left.state)) await leaveNow(context, actor, network, left);
    } catch (thrown) {
      if (isOn(context, id, network)) await registry.observe(id, (now) => ({ ...now, endpoints: before.endpoints }));
      throw thrown;
    } finally {
      await settled(context, id);
    }
    membershipEvent(context, network, "disconnect", left);
  });
}

/** Removes the endpoint of a container without a row. Other endpoints belong to rows that would become wrong. */
async function disconnectLost({ networks, registry }: MembersContext, network: Network, ref: string): Promise<void> {
  const lost = [...networks.endpointsOn(network.id).keys()].find((id) => id === ref && registry.get(id) === undefined);
  if (lost === undefined) throw new EngineError("not-found", `endpoint ${ref} not found`);
  await networks.disconnect(lost, network.id);
}

/** The use cases of `docker network connect` and `disconnect` (API 1.41). */
export function createNetworkMembers(context: MembersContext): NetworkMembers {
  return {
    connect: async (actor, ref, containerRef, request) => {
      const { id } = context.registry.resolve(actor, containerRef);
      await connect(context, actor, context.networks.get(ref, actor), id, request);
    },
    disconnect: async (actor, ref, containerRef, { force }) => {
      const network = context.networks.get(ref, actor);
      try {
        const { id } = context.registry.resolve(actor, containerRef);
        await disconnect(context, actor, network, id);
      } catch (thrown) {
        if (!force || !isEngineError(thrown, "not-found")) throw thrown;
        await disconnectLost(context, network, containerRef);
      }
    },
  };
}
