import type { Actor } from "../../engine/actor.ts";
import { EngineError, isEngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import type { EndpointRequest, Network, Sandbox } from "../../networks/networks.ts";
import type { Context } from "../context.ts";
import { type AuthorizeContext, authorize } from "../create/authorize.ts";
import { boundBy, hostBinding, hostGateway, publishAddress } from "../lifecycle/host-resources.ts";
import type { Container } from "../records/container.ts";
import { endpointKey, recordedNetworks } from "../records/joined-networks.ts";
import { membershipEvent } from "../records/network-event.ts";
import { isRunning } from "../records/state.ts";
import { hostsFile, resolvConfFile } from "../spec/file-contents.ts";
import type { NetworkMembers } from "./members.ts";
import { checkJoin, checkLeave, moveLines } from "./members-rules.ts";

type MembersContext = AuthorizeContext & Pick<Context, "locks" | "networks" | "ports" | "events" | "log">;

/** Moves the container's ports to another address. Without one the ports are released; with the first one they are acquired. */
async function leadPorts(
  context: MembersContext,
  actor: Actor,
  container: Container,
  { from, to }: { readonly from: string | undefined; readonly to: string | undefined },
): Promise<void> {
  const { ports } = context;
  const { id, name, owner } = container;
  if (to === from) return;
  if (to === undefined) return await ports.release(id);
  if (from === undefined) {
    const rights = await authorize(context, actor, container);
    await ports.lease({
      containerId: id,
      containerName: name,
      owner,
      wishes: boundBy(hostBinding(context, container), container.ports.wishes),
      ...rights,
    });
  }
  await ports.publish(id, to);
}

/** Updates the container's own files after a change of networks: its addresses and its name server. */
async function moveFiles(
  context: MembersContext,
  container: Container,
  before: Sandbox,
  after: Sandbox,
): Promise<void> {
  const { files } = context;
  const { resolvConf } = await files.readHost();
  const made = ({ endpoints, nameserver }: Sandbox) => ({
    hosts: hostsFile(container, endpoints, hostGateway(context, container)),
    resolvConf: resolvConfFile(container, resolvConf, nameserver),
  });
  const [old, fresh] = [made(before), made(after)];
  await files.change(container.id, (contents) => ({
    ...contents,
    hosts: moveLines(contents.hosts, old.hosts, fresh.hosts),
    resolvConf: old.resolvConf === fresh.resolvConf ? contents.resolvConf : fresh.resolvConf,
  }));
}

/** Runs a step whose failure must neither hide nor undo earlier steps; logs the failure. */
async function settle({ log }: MembersContext, id: ContainerId, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (fault) {
    log.error({ container: id, err: fault }, "failed to finish or undo a change of networks");
  }
}

function joinRow(context: MembersContext, id: ContainerId, key: string, request: EndpointRequest): Promise<Container> {
  return context.registry.update(id, (before) => ({ ...before, endpoints: { ...before.endpoints, [key]: request } }));
}

function leaveRow(context: MembersContext, id: ContainerId, key: string): Promise<Container> {
  return context.registry.update(id, ({ endpoints: { [key]: _, ...endpoints }, ...before }) => ({
    ...before,
    endpoints,
  }));
}

/** Connects a running container. A failure restores the previous state. */
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
  const [from, to] = [publishAddress(context, before), publishAddress(context, after)];
  try {
    await leadPorts(context, actor, container, { from, to });
    await moveFiles(context, container, before, after);
  } catch (thrown) {
    // Move the ports first: another container may get the address right away.
    await settle(context, id, () => leadPorts(context, actor, container, { from: to, to: from }));
    await settle(context, id, () => networks.disconnect(id, network.id));
    throw thrown;
  }
}

/** Disconnects a running container, ports first: another container may get the address right away. */
async function leaveNow(context: MembersContext, actor: Actor, network: Network, container: Container): Promise<void> {
  const { networks } = context;
  const { id } = container;
  const before = networks.sandboxOf(id);
  const rest = before?.endpoints.filter(({ networkId }) => networkId !== network.id);
  if (before === undefined || rest === undefined || rest.length === before.endpoints.length) return;
  const [from, to] = [publishAddress(context, before), publishAddress(context, { ...before, endpoints: rest })];
  await leadPorts(context, actor, container, { from, to });
  try {
    await networks.disconnect(id, network.id);
  } catch (thrown) {
    await settle(context, id, () => leadPorts(context, actor, container, { from: to, to: from }));
    throw thrown;
  }
  const after = networks.sandboxOf(id);
  // The container has left the network even if its files cannot be updated.
  if (after !== undefined) await settle(context, id, () => moveFiles(context, container, before, after));
}

/** Writes the row first, so that the next start repairs what a crash interrupts. A failure restores the row. */
function connect(
  context: MembersContext,
  actor: Actor,
  network: Network,
  id: ContainerId,
  request: EndpointRequest,
): Promise<void> {
  return context.locks.hold(id, async () => {
    const before = context.registry.resolve(actor, id);
    if (!checkJoin(before, network, [...recordedNetworks(context, before).values()], request)) return;
    const key = endpointKey(context, network, before.owner);
    const joined = await joinRow(context, id, key, request);
    if (!isRunning(joined.state)) return;
    try {
      await joinNow(context, actor, network, joined, request);
    } catch (thrown) {
      await leaveRow(context, id, key);
      throw thrown;
    }
    membershipEvent(context, network, "connect", joined);
  });
}

function disconnect(context: MembersContext, actor: Actor, network: Network, id: ContainerId): Promise<void> {
  return context.locks.hold(id, async () => {
    const before = context.registry.resolve(actor, id);
    const joined = recordedNetworks(context, before);
    checkLeave(before, network, [...joined.values()]);
    const [key = network.name] = [...joined].find(([, { id: other }]) => other === network.id) ?? [];
    const left = await leaveRow(context, id, key);
    try {
      if (isRunning(left.state)) await leaveNow(context, actor, network, left);
    } catch (thrown) {
      await joinRow(context, id, key, before.endpoints[key] ?? {});
      throw thrown;
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
