import { isEngineError } from "../errors.ts";
import type { Network, Networks, Sandbox } from "../networks/networks.ts";
import type { Actor } from "../policy/actor.ts";
import { authorize } from "./authorize.ts";
import type { EndpointRequest } from "./config.ts";
import type { Container, ContainerId } from "./container.ts";
import type { Context } from "./context.ts";
import { hostsFile, resolvConfFile } from "./file-contents.ts";
import { checkJoin, checkLeave } from "./members-rules.ts";
import type { NetworkMembers } from "./network-members.ts";
import { isRunning } from "./state.ts";

/** The networks of the container's row, by its keys: a name, or whatever the request to create it named them by. */
const joinedBy = ({ networks }: Pick<Context, "networks">, { endpoints }: Container): ReadonlyMap<string, Network> =>
  new Map(
    Object.keys(endpoints).flatMap((key) => {
      const network = findNetwork(networks, key);
      return network === undefined ? [] : [[key, network] as const];
    }),
  );

const findNetwork = (networks: Networks, ref: string): Network | undefined => {
  try {
    return networks.get(ref);
  } catch (thrown) {
    // A network that was removed still stands in the rows of stopped containers.
    if (!isEngineError(thrown)) throw thrown;
    return undefined;
  }
};

const networkEvent = ({ events }: Context, { id, name, driver }: Network, action: string, container: Container): void =>
  events.emit({
    type: "network",
    action,
    owner: container.owner,
    actor: { id, attributes: { container: container.id, name, type: driver } },
  });

/** Where the ports lead: the first endpoint's address, as at start. */
const addressIn = (sandbox: Sandbox | undefined): string | undefined => sandbox?.endpoints[0]?.address || undefined;

/** What follows from other networks: the names in the container's own files, and the address behind its ports. */
const follow = async (
  context: Context,
  actor: Actor,
  container: Container,
  addressBefore: string | undefined,
): Promise<void> => {
  const { networks, ports, files } = context;
  const { id } = container;
  const sandbox = networks.sandboxOf(id);
  if (sandbox === undefined) return;
  await files.write(id, {
    hosts: hostsFile(container, sandbox.endpoints, sandbox.endpoints[0]?.gateway ?? ""),
    hostname: `${container.config.Hostname}\n`,
    resolvConf: resolvConfFile(container, (await files.readHost()).resolvConf, sandbox.nameserver),
  });
  const address = addressIn(sandbox);
  if (address === addressBefore) return;
  // The address goes to another container one day: no port may lead there.
  if (address === undefined) return await ports.release(id);
  if (addressBefore === undefined) {
    const permitted = await authorize(context, actor, container);
    await ports.lease({
      containerId: id,
      containerName: container.name,
      owner: container.owner,
      wishes: container.ports.wishes,
      ...(permitted === undefined ? {} : { permitted }),
    });
  }
  await ports.publish(id, address);
};

const joinRow = (context: Context, id: ContainerId, key: string, request: EndpointRequest): Promise<Container> =>
  context.registry.update(id, (before) => ({ ...before, endpoints: { ...before.endpoints, [key]: request } }));

const leaveRow = (context: Context, id: ContainerId, key: string): Promise<Container> =>
  context.registry.update(id, ({ endpoints: { [key]: _, ...endpoints }, ...before }) => ({ ...before, endpoints }));

/** The row first: what a crash leaves half done, the next start of the container makes whole. Every failure puts the row back. */
const connect = (
  context: Context,
  actor: Actor,
  network: Network,
  id: ContainerId,
  request: EndpointRequest,
): Promise<void> =>
  context.locks.hold(id, async () => {
    const { networks, registry } = context;
    const before = registry.resolve(actor, id);
    checkJoin(before, network, [...joinedBy(context, before).values()], request);
    const joined = await joinRow(context, id, network.name, request);
    if (!isRunning(joined.state)) return;
    const addressBefore = addressIn(networks.sandboxOf(id));
    try {
      await networks.connect(id, joined.name, network.id, request);
      try {
        await follow(context, actor, joined, addressBefore);
      } catch (thrown) {
        await networks.disconnect(id, network.id);
        throw thrown;
      }
    } catch (thrown) {
      await leaveRow(context, id, network.name);
      throw thrown;
    }
    networkEvent(context, network, "connect", joined);
  });

const disconnect = (context: Context, actor: Actor, network: Network, id: ContainerId): Promise<void> =>
  context.locks.hold(id, async () => {
    const { networks, registry } = context;
    const before = registry.resolve(actor, id);
    const joined = joinedBy(context, before);
    checkLeave(before, network, [...joined.values()]);
    const [key = network.name] = [...joined].find(([, { id: other }]) => other === network.id) ?? [];
    const left = await leaveRow(context, id, key);
    const sandbox = isRunning(left.state) ? networks.sandboxOf(id) : undefined;
    if (sandbox?.endpoints.some(({ networkId }) => networkId === network.id)) {
      const addressBefore = addressIn(sandbox);
      try {
        await networks.disconnect(id, network.id);
      } catch (thrown) {
        await joinRow(context, id, key, before.endpoints[key] ?? {});
        throw thrown;
      }
      await follow(context, actor, left, addressBefore);
    }
    networkEvent(context, network, "disconnect", left);
  });

/** Takes the endpoint of a container that no row tells of any more; nobody else's, for their owners' rows would become untrue. */
const disconnectLost = async ({ networks, registry }: Context, network: Network, ref: string): Promise<void> => {
  const lost = [...networks.endpointsOn(network.id).keys()].find((id) => id === ref && registry.get(id) === undefined);
  if (lost !== undefined) await networks.disconnect(lost, network.id);
};

/** The use cases of `docker network connect` and `disconnect` (API 1.41). */
export const createNetworkMembers = (context: Context): NetworkMembers => ({
  connect: async (actor, ref, containerRef, request) => {
    const { id } = context.registry.resolve(actor, containerRef);
    await connect(context, actor, context.networks.get(ref), id, request);
  },
  disconnect: async (actor, ref, containerRef, { force }) => {
    const network = context.networks.get(ref);
    try {
      const { id } = context.registry.resolve(actor, containerRef);
      await disconnect(context, actor, network, id);
    } catch (thrown) {
      if (!force || !isEngineError(thrown, "not-found")) throw thrown;
      await disconnectLost(context, network, containerRef);
    }
  },
});
