import { randomBytes } from "node:crypto";
import { type Cidr, formatCidr, formatIp } from "@berth/port-spec";
import { EngineError } from "../engine/errors.ts";
import type { ContainerId } from "../engine/ids.ts";
import { KeyedLock } from "../engine/keyed-lock.ts";
import type { Log } from "../engine/log.ts";
import { bridgesOf, enableForwarding, makeBridge } from "./bridge.ts";
import { hostResolvers, hostRoutes } from "./host-routes.ts";
import { openNameService } from "./name-service.ts";
import { answerName } from "./names.ts";
import { linkExists, namespaceNames, namespacePath, removeLinks } from "./namespace.ts";
import { listFilter, pruneFilter } from "./network-filters.ts";
import {
  DEFAULT_NETWORK,
  filteredNetworks,
  findNetwork,
  isUserNetwork,
  type OpenNetwork,
  openNetwork,
} from "./network-table.ts";
import type { CreateNetworkRequest, Network, Networks } from "./networks.ts";
import type { Nft } from "./nft.ts";
import { ADDRESS_POOLS, bridgeOptions, freePool, PREDEFINED, planNetwork } from "./plan-network.ts";
import { rulesetCommands } from "./ruleset.ts";
import { createSandboxes } from "./sandboxes.ts";
import type { NetworkStore } from "./store.ts";
import { sweep } from "./sweep.ts";

export interface BridgeNetworksOptions {
  /** Names the table, the default bridge and the namespaces; at most 11 characters, for a link's name has 15. */
  readonly instance: string;
  readonly nft: Nft;
  readonly store: NetworkStore;
  /** The default network's subnet, unless the host has it already: then the next of Docker's pools that is free. */
  readonly subnet: string;
  /** How many sandboxes are kept ready. */
  readonly poolSize: number;
  readonly log: Log;
}

/** Networks of this host: a bridge each, namespaces on it, names answered at its gateway. */
export function createBridgeNetworks(options: BridgeNetworksOptions): Networks {
  const { instance, nft, store, log } = options;
  const networks = new Map<string, OpenNetwork>();
  const sandboxes = createSandboxes({ ...options, networks });
  const lock = new KeyedLock<"networks">();

  const applyRules = () => nft.apply(rulesetCommands(instance, filteredNetworks(networks.values())));

  /** Makes what the network needs on the host, as far as it is not there. */
  const raise = async (open: OpenNetwork): Promise<void> => {
    const { network, bridge, book } = open;
    if (bridge === "" || book === undefined) return;
    await makeBridge({
      name: bridge,
      instance,
      addresses: [`${book.gateway}/${book.subnet.prefixLength}`],
      macAddress: `02:42:${network.id.slice(0, 8).replace(/..(?=.)/g, "$&:")}`,
      mtu: bridgeOptions(network.options).mtu,
    });
    if (!isUserNetwork(open)) return;
    open.nameService = await openNameService({
      address: book.gateway,
      answer: (from, name, { reverse }) =>
        answerName({ networkId: network.id, from, name, reverse }, networks, sandboxes.all),
      resolvers: hostResolvers,
      log,
    });
  };

  const lower = async ({ bridge, nameService }: OpenNetwork): Promise<void> => {
    await nameService?.close();
    if (bridge !== "") await removeLinks([bridge]);
  };

  const subnetsInUse = (): readonly Cidr[] =>
    [...networks.values()].map(({ book }) => book?.subnet).filter((subnet) => subnet !== undefined);

  /** The row, then the host; whatever fails, neither is left. */
  const add = async (network: Network): Promise<OpenNetwork> => {
    const open = openNetwork(network);
    if (open.bridge !== "" && (await linkExists(open.bridge)))
      throw new EngineError(
        "forbidden",
        `cannot create network ${network.id}: the host has a link ${open.bridge} already`,
      );
    await store.insertNetwork(network);
    networks.set(network.id, open);
    try {
      await raise(open);
      await applyRules();
    } catch (thrown) {
      await drop(open);
      throw thrown;
    }
    return open;
  };

  const drop = async (open: OpenNetwork): Promise<void> => {
    networks.delete(open.network.id);
    await applyRules();
    await lower(open);
    await store.deleteNetwork(open.network.id);
  };

  const create = async (request: CreateNetworkRequest) => {
    if ([...networks.values()].some(({ network }) => network.name === request.name) && !PREDEFINED.has(request.name))
      throw new EngineError("conflict", `network with name ${request.name} already exists`);
    const network = planNetwork(request, {
      id: newId(),
      createdAt: new Date().toISOString(),
      networks: subnetsInUse(),
      routes: await hostRoutes(await bridgesOf(instance)),
    });
    await add(network);
    const wantsIPv6 = network.enableIPv6 || request.ipam.config.some(({ Subnet = "" }) => Subnet.includes(":"));
    const warning = wantsIPv6 ? "IPv6 inside networks is not supported yet: its containers have IPv4 alone" : "";
    return { id: network.id, warning };
  };

  const remove = async (open: OpenNetwork): Promise<void> => {
    const { name, id } = open.network;
    if (PREDEFINED.has(name))
      throw new EngineError("forbidden", `${name} is a pre-defined network and cannot be removed`);
    if (open.endpoints.size > 0)
      throw new EngineError("forbidden", `error while removing network: network ${name} id ${id} has active endpoints`);
    await drop(open);
  };

  /** The three networks that are always there, as Docker shows them. */
  const addPredefined = async (): Promise<void> => {
    const have = new Set([...networks.values()].map(({ network }) => network.name));
    const base = {
      createdAt: new Date().toISOString(),
      internal: false,
      attachable: false,
      enableIPv6: false,
      labels: {},
    };
    const ipam = { driver: "default", options: null, config: [] };
    for (const [name, driver] of [
      ["host", "host"],
      ["none", "null"],
    ] as const)
      if (!have.has(name)) await add({ ...base, id: newId(), name, driver, options: {}, ipam });
    if (have.has(DEFAULT_NETWORK)) return;
    const inUse = [...subnetsInUse(), ...(await hostRoutes(await bridgesOf(instance)))];
    const subnet = freePool([options.subnet, ...ADDRESS_POOLS], inUse);
    // A bridge that a lost database left has no container that we know of; it is made anew.
    if ((await bridgesOf(instance)).includes(`${instance}0`)) await removeLinks([`${instance}0`]);
    await add({
      ...base,
      id: newId(),
      name: DEFAULT_NETWORK,
      driver: "bridge",
      options: {
        "com.docker.network.bridge.default_bridge": "true",
        "com.docker.network.bridge.enable_icc": "true",
        "com.docker.network.bridge.enable_ip_masquerade": "true",
        "com.docker.network.bridge.host_binding_ipv4": "0.0.0.0",
        "com.docker.network.bridge.name": `${instance}0`,
        "com.docker.network.driver.mtu": "1500",
      },
      ipam: { ...ipam, config: [{ Subnet: formatCidr(subnet), Gateway: formatIp(subnet.start + 1n) }] },
    });
  };

  const recover = async (running: ReadonlySet<ContainerId>): Promise<void> => {
    const stored = await store.load();
    for (const network of stored.networks) networks.set(network.id, openNetwork(network));
    const there = new Set((await namespaceNames()).map(namespacePath));
    const kept = stored.sandboxes.filter(({ containerId, path }) => running.has(containerId) && there.has(path));
    await sweep(instance, { bridges: [...networks.values()].map(({ bridge }) => bridge), sandboxes: kept });
    await store.deleteSandboxes(
      stored.sandboxes.filter((sandbox) => !kept.includes(sandbox)).map(({ containerId }) => containerId),
    );
    await enableForwarding();
    for (const open of networks.values())
      await raise(open).catch((thrown: unknown) => {
        // One network that the host has no room for any more must not keep all the others from their containers.
        if (!isUserNetwork(open)) throw thrown;
        log.error({ network: open.network.name, err: thrown }, "a network could not be made again");
      });
    await addPredefined();
    await applyRules();
    for (const sandbox of kept) await sandboxes.adopt(sandbox);
    sandboxes.fill();
  };

  const { claim, sandboxOf, connect, disconnect, release, rename } = sandboxes;
  return {
    claim,
    sandboxOf,
    connect,
    disconnect,
    release,
    rename,
    get: (ref) => findNetwork(networks, ref).network,
    list: (filters) => {
      const passes = listFilter(filters);
      return [...networks.values()]
        .filter(({ network, endpoints }) => passes(network, { inUse: endpoints.size > 0 }))
        .map(({ network }) => network);
    },
    create: (request) => lock.hold("networks", () => create(request)),
    remove: (ref) => lock.hold("networks", () => remove(findNetwork(networks, ref))),
    prune: (filters) =>
      lock.hold("networks", async () => {
        const passes = pruneFilter(filters, Date.now());
        const unused = [...networks.values()].filter(
          ({ network, endpoints }) => endpoints.size === 0 && passes(network),
        );
        for (const open of unused) await remove(open);
        return unused.map(({ network }) => network.name);
      }),
    endpointsOn: (networkId) => networks.get(networkId)?.endpoints ?? new Map(),
    recover,
    close: async () => {
      await sandboxes.close();
      for (const { nameService } of networks.values()) await nameService?.close();
    },
  };
}

function newId(): string {
  return randomBytes(32).toString("hex");
}
