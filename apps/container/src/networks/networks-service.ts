import { type Cidr, isIp } from "@berth/port-spec";
import { KeyedLock } from "../engine/concurrency/keyed-lock.ts";
import { EngineError } from "../engine/errors.ts";
import type { Filters } from "../engine/filters.ts";
import type { ContainerId } from "../engine/ids.ts";
import type { Log } from "../engine/log.ts";
import { sees, type Viewer } from "../engine/owners.ts";
import { hostResolvers } from "../host/resolv-conf.ts";
import { AddressSpace } from "./addresses/address-space.ts";
import { unusedSubnets } from "./addresses/plan-ipam.ts";
import { bridgesOf, makeBridge } from "./bridge.ts";
import { createEndpointFilter } from "./filter/endpoint-filter.ts";
import type { Nft } from "./filter/nft.ts";
import { rulesetCommands } from "./filter/ruleset.ts";
import type { Bridges } from "./firewalls/bridges.ts";
import { enableForwarding, enableIPv6Forwarding, hasIPv6 } from "./forwarding.ts";
import { openNames } from "./names.ts";
import { linkExists, namespaceNames, namespacePath, removeLinks } from "./namespace.ts";
import { listFilter, pruneFilter } from "./network-filters.ts";
import { insertRow, newId, undoInsert } from "./network-rows.ts";
import {
  bridgeOf,
  bridgesToAdmit,
  DEFAULT_NETWORK,
  filteredNetworks,
  findNetwork,
  isUserNetwork,
  type OpenNetwork,
  openNetwork,
  recordedNetwork,
  seesNetwork,
} from "./network-table.ts";
import type {
  CreateNetworkRequest,
  Endpoint,
  Network,
  NetworkCreator,
  Networks,
  Sandbox,
  SandboxRequest,
} from "./networks.ts";
import { isPredefined, PREDEFINED, planNetwork } from "./plan-network.ts";
import { predefinedNetworks, withIPv6 } from "./predefined.ts";
import { Sandboxes } from "./sandboxes.ts";
import type { NetworkStore } from "./store.ts";
import { sweep } from "./sweep.ts";

export interface BridgeNetworksOptions {
  /** Names the table, the default bridge and the namespaces. At most 11 characters: a link's name has 15. */
  readonly instance: string;
  readonly nft: Nft;
  readonly store: NetworkStore;
  /** The default network's subnet. Where the host already routes it, the first free one of Docker's pools is used. */
  readonly subnet: string;
  /** The default network's IPv6 subnet; `auto` for one of the host's own prefix, undefined for no IPv6. */
  readonly subnet6?: "auto" | Cidr | undefined;
  /** What the prefix of networks' IPv6 subnets is derived from; the same at each start. */
  readonly hostId: string;
  /** The number of sandboxes created in advance. */
  readonly poolSize: number;
  readonly log: Log;
  /** Lets packets of the bridges pass the host's other firewalls; `named` are those with a name service. */
  readonly admit?: (bridges: Bridges) => Promise<void>;
}

/** The networks of this host: a bridge each, namespaces attached to it, and a name service at its gateway. */
export class BridgeNetworks implements Networks {
  readonly #options: BridgeNetworksOptions;
  readonly #networks = new Map<string, OpenNetwork>();
  readonly #sandboxes: Sandboxes;
  readonly #space: AddressSpace;
  readonly #lock = new KeyedLock<"networks">();

  constructor(options: BridgeNetworksOptions) {
    this.#options = options;
    this.#space = new AddressSpace(options.instance, options.hostId, this.#networks);
    const filter = createEndpointFilter(options.nft, options.instance);
    this.#sandboxes = new Sandboxes({ ...options, networks: this.#networks, filter });
  }

  get(ref: string, viewer: Viewer): Network {
    return findNetwork(this.#networks, ref, viewer).network;
  }

  recorded(ref: string, owner: string | undefined): Network | undefined {
    return recordedNetwork(this.#networks, ref, owner);
  }

  list(filters: Filters, viewer: Viewer): readonly Network[] {
    const passes = listFilter(filters);
    return [...this.#networks.values()]
      .filter((open) => seesNetwork(viewer, open))
      .filter(({ network, endpoints }) => passes(network, { inUse: endpoints.size > 0 }))
      .map(({ network }) => network);
  }

  create(
    request: CreateNetworkRequest,
    creator: NetworkCreator,
  ): Promise<{ readonly id: string; readonly warning: string }> {
    return this.#lock.hold("networks", () => this.#create(request, creator));
  }

  remove(ref: string, viewer: Viewer): Promise<void> {
    return this.#lock.hold("networks", () => {
      const open = findNetwork(this.#networks, ref, viewer);
      if (!isPredefined(open.network) && !sees(viewer, open.network))
        throw new EngineError(
          "forbidden",
          `network ${open.network.name} belongs to another; only its owner may remove it`,
        );
      return this.#remove(open);
    });
  }

  prune(filters: Filters, viewer: Viewer): Promise<readonly Network[]> {
    return this.#lock.hold("networks", async () => {
      const passes = pruneFilter(filters, Date.now());
      const unused = [...this.#networks.values()].filter(
        ({ network, endpoints }) => endpoints.size === 0 && sees(viewer, network) && passes(network),
      );
      for (const open of unused) await this.#remove(open);
      return unused.map(({ network }) => network);
    });
  }

  endpointsOn(networkId: string): ReadonlyMap<ContainerId, Endpoint> {
    return this.#networks.get(networkId)?.endpoints ?? new Map();
  }

  claim(request: SandboxRequest): Promise<Sandbox> {
    return this.#sandboxes.claim(request);
  }

  sandboxOf(containerId: ContainerId): Sandbox | undefined {
    return this.#sandboxes.sandboxOf(containerId);
  }

  connect(...joining: Parameters<Networks["connect"]>): Promise<Endpoint> {
    return this.#sandboxes.connect(...joining);
  }

  disconnect(containerId: ContainerId, ref: string): Promise<void> {
    return this.#sandboxes.disconnect(containerId, ref);
  }

  release(containerId: ContainerId): Promise<void> {
    return this.#sandboxes.release(containerId);
  }

  rename(containerId: ContainerId, name: string): void {
    this.#sandboxes.rename(containerId, name);
  }

  async recover(running: ReadonlySet<ContainerId>): Promise<void> {
    const { instance, store, subnet6, log } = this.#options;
    if (subnet6 !== undefined && !(await hasIPv6()))
      throw new Error("BERTH_SUBNET6: this host has no IPv6; leave it out, or enable IPv6 in its kernel");
    const stored = await store.load();
    for (const network of stored.networks) this.#networks.set(network.id, openNetwork(network));
    const there = new Set((await namespaceNames()).map(namespacePath));
    const kept = stored.sandboxes.filter(({ containerId, path }) => running.has(containerId) && there.has(path));
    await sweep(instance, { bridges: [...this.#networks.values()].map(({ bridge }) => bridge), sandboxes: kept });
    const gone = stored.sandboxes.filter((sandbox) => !kept.includes(sandbox));
    await store.deleteSandboxes(gone.map(({ containerId }) => containerId));
    await enableForwarding();
    await this.#settleDefault();
    for (const open of this.#networks.values())
      await this.#raise(open).catch((thrown: unknown) => {
        // A failing user network must not stop the others.
        if (!isUserNetwork(open)) throw thrown;
        log.error({ network: open.network.name, err: thrown }, "failed to restore network");
      });
    await this.#addPredefined();
    for (const sandbox of kept) await this.#sandboxes.adopt(sandbox);
    // Before the rules, which may be a newer version's and ask for more than the filter of the older one holds.
    await this.#sandboxes.restoreFilter();
    await this.#applyRules();
    this.#sandboxes.fill();
  }

  /** How many namespaces wait for a container. */
  readySandboxes(): number {
    return this.#sandboxes.readyCount();
  }

  async close(): Promise<void> {
    await this.#sandboxes.close();
    for (const { nameService } of this.#networks.values()) await nameService?.close();
  }

  async #create(request: CreateNetworkRequest, { viewer, authorize }: NetworkCreator) {
    const own = [...this.#networks.values()].filter(({ network }) => network.owner === viewer.id);
    if (own.some(({ network }) => network.name === request.name) && !PREDEFINED.has(request.name))
      throw new EngineError("conflict", `network with name ${request.name} already exists`);
    authorize(own.length);
    if (request.enableIPv6 && !(await hasIPv6()))
      throw new EngineError("invalid", "EnableIPv6: this host has no IPv6; leave it out, or enable IPv6 in its kernel");
    const network = planNetwork(request, {
      id: newId(),
      owner: viewer.id,
      createdAt: new Date().toISOString(),
      ...(await this.#space.contextFor(viewer)),
    });
    await this.#add(network);
    return { id: network.id, warning: unusedSubnets(request) };
  }

  async #remove(open: OpenNetwork): Promise<void> {
    const { name, id } = open.network;
    if (PREDEFINED.has(name))
      throw new EngineError("forbidden", `${name} is a pre-defined network and cannot be removed`);
    if (open.endpoints.size > 0)
      throw new EngineError("forbidden", `error while removing network: network ${name} id ${id} has active endpoints`);
    await this.#drop(open);
  }

  /** Writes the row, then makes the network on the host. A failure leaves neither. */
  async #add(network: Network): Promise<void> {
    const open = openNetwork(network);
    if (open.bridge !== "" && (await linkExists(open.bridge)))
      throw new EngineError(
        "forbidden",
        `cannot create network ${network.id}: the host already has a link ${open.bridge}`,
      );
    await insertRow(this.#options.store, network);
    this.#networks.set(network.id, open);
    try {
      await this.#raise(open);
      await this.#applyRules();
    } catch (thrown) {
      this.#networks.delete(network.id);
      await this.#lower(open).catch(() => undefined);
      await undoInsert(this.#options.store, network.id);
      throw thrown;
    }
  }

  /** Deletes the row, then takes the network off the host: the next start sweeps what has no row. */
  async #drop(open: OpenNetwork): Promise<void> {
    await this.#options.store.deleteNetwork(open.network.id);
    this.#networks.delete(open.network.id);
    await this.#lower(open);
  }

  async #lower({ nameService, bridge }: OpenNetwork): Promise<void> {
    await this.#applyRules();
    await nameService?.close();
    if (bridge !== "") await removeLinks([bridge]);
  }

  /** Creates the network's bridge and name service if they are missing. */
  async #raise(open: OpenNetwork): Promise<void> {
    const { network, bridge } = open;
    const { instance, log } = this.#options;
    if (bridge === "") return;
    if (network.enableIPv6) await enableIPv6Forwarding();
    await makeBridge(bridgeOf(open, instance));
    const names = await openNames(open, this.#networks, this.#sandboxes, log);
    if (names !== undefined) open.nameService = names;
  }

  /** Gives the default network the IPv6 subnet of the settings, or takes it away. Containers keep the addresses they have. */
  async #settleDefault(): Promise<void> {
    const { subnet6, store } = this.#options;
    const found = [...this.#networks.values()].find(({ network }) => network.name === DEFAULT_NETWORK);
    if (found === undefined) return;
    const changed = await withIPv6(found.network, subnet6, () => this.#space.drawIPv6());
    if (changed === undefined) return;
    await store.updateNetwork(changed);
    this.#networks.set(changed.id, openNetwork(changed));
  }

  /** Creates the default networks that have no row. */
  async #addPredefined(): Promise<void> {
    const { instance, subnet, subnet6 } = this.#options;
    const known = new Set([...this.#networks.values()].map(({ network }) => network.name));
    if (known.has(DEFAULT_NETWORK) && known.has("host") && known.has("none")) return;
    const bridge = `${instance}0`;
    // A bridge left by a lost database has no recorded containers.
    if (!known.has(DEFAULT_NETWORK) && (await bridgesOf(instance)).includes(bridge)) await removeLinks([bridge]);
    const planned = predefinedNetworks({
      bridge,
      subnet: await this.#space.drawIPv4(subnet),
      subnet6: subnet6 === "auto" ? await this.#space.drawIPv6() : subnet6,
      createdAt: new Date().toISOString(),
    });
    for (const network of planned) if (!known.has(network.name)) await this.#add({ ...network, id: newId() });
  }

  async #applyRules(): Promise<void> {
    const { nft, instance, admit } = this.#options;
    const filtered = filteredNetworks(this.#networks.values());
    await nft.apply(rulesetCommands(instance, filtered, (await hostResolvers()).filter(isIp)));
    await admit?.(bridgesToAdmit(filtered));
  }
}
