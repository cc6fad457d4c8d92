import { basename } from "node:path";
import { ipFamily } from "@berth/port-spec";
import { bothDone } from "../engine/concurrency/both-done.ts";
import { interfaceSysctls } from "../engine/endpoint-sysctls.ts";
import { EngineError } from "../engine/errors.ts";
import type { ContainerId } from "../engine/ids.ts";
import type { Log } from "../engine/log.ts";
import { viewerOf } from "../engine/owners.ts";
import { linkLocalOf } from "./addresses/inet.ts";
import { bridgeOptions } from "./bridge-options.ts";
import { defaultRoutes, routesVia } from "./default-routes.ts";
import type { EndpointFilter, FilteredEndpoint } from "./filter/endpoint-filter.ts";
import { leadNames, NAME_SERVICE_ADDRESS } from "./filter/name-rules.ts";
import { isPlain, linkLocals, placeOf, speaksIPv6, takePlace } from "./join.ts";
import { nameServersOf } from "./name-servers.ts";
import { addPlace, linkExists, makeNamespaces, removeLinks, setDefaultRoute } from "./namespace.ts";
import {
  DEFAULT_NETWORK,
  findNetwork,
  findRecorded,
  giveAddresses,
  holdAddresses,
  type OpenNetwork,
} from "./network-table.ts";
import type { Endpoint, EndpointRequest, Networks, Sandbox, SandboxRequest } from "./networks.ts";
import { createReadySandboxes, newNamespacePath, type ReadySandboxes } from "./ready-sandboxes.ts";
import { createTeardown, type SandboxTeardown } from "./sandbox-teardown.ts";
import type { NetworkStore, PlacedEndpoint, StoredSandbox } from "./store.ts";

export interface SandboxesOptions {
  readonly instance: string;
  readonly store: NetworkStore;
  readonly networks: ReadonlyMap<string, OpenNetwork>;
  readonly filter: EndpointFilter;
  readonly poolSize: number;
  readonly log: Log;
}

/** The part of {@link Networks} that concerns containers. */
export class Sandboxes
  implements Pick<Networks, "claim" | "sandboxOf" | "connect" | "disconnect" | "release" | "rename">
{
  readonly #options: SandboxesOptions;
  readonly #sandboxes = new Map<ContainerId, StoredSandbox>();
  readonly #teardown: SandboxTeardown;
  readonly #ready: ReadySandboxes;

  constructor(options: SandboxesOptions) {
    this.#options = options;
    this.#teardown = createTeardown(options);
    this.#ready = createReadySandboxes(options.instance, options.networks, options);
  }

  /** The sandboxes in use, by container. */
  get all(): ReadonlyMap<ContainerId, StoredSandbox> {
    return this.#sandboxes;
  }

  async claim(request: SandboxRequest): Promise<Sandbox> {
    await this.release(request.containerId);
    const sandbox = await this.#build(request);
    try {
      await bothDone(this.#options.store.saveSandbox(sandbox), this.#options.filter.add(this.#filtered(sandbox)));
    } catch (thrown) {
      this.#discard(sandbox);
      throw thrown;
    }
    this.#sandboxes.set(request.containerId, sandbox);
    return this.#shown(sandbox);
  }

  sandboxOf(containerId: ContainerId): Sandbox | undefined {
    const sandbox = this.#sandboxes.get(containerId);
    return sandbox === undefined ? undefined : this.#shown(sandbox);
  }

  async connect(
    containerId: ContainerId,
    containerName: string,
    ref: string,
    request: EndpointRequest,
    hostname?: string,
  ): Promise<Endpoint> {
    const before = this.#running(containerId);
    const open = this.#find(ref);
    const interfaces = before.endpoints.map(({ interfaceName }) => interfaceName);
    const endpoint = await this.#take(open, containerId, request, interfaces, hostname);
    const after = { ...before, containerName, endpoints: [...before.endpoints, endpoint] };
    try {
      await this.#options.store.saveSandbox(after);
      this.#sandboxes.set(containerId, after);
      if (endpoint.link !== "") {
        const gateways = routesVia(defaultRoutes(after.endpoints), endpoint);
        await this.#options.filter.add(this.#filtered({ ...after, endpoints: [endpoint] }));
        await addPlace(basename(after.path), placeOf(open, endpoint, gateways));
        await this.#leadNames(after);
      }
      return endpoint;
    } catch (thrown) {
      open.endpoints.delete(containerId);
      this.#sandboxes.set(containerId, before);
      await removeLinks(endpoint.link === "" ? [] : [endpoint.link]);
      await this.#options.filter.remove([endpoint.link]);
      giveAddresses(open, endpoint);
      await this.#options.store.saveSandbox(before);
      await this.#restoreRoutes(before, after);
      throw thrown;
    }
  }

  async disconnect(containerId: ContainerId, ref: string): Promise<void> {
    const before = this.#running(containerId);
    const open = this.#find(ref);
    const endpoint = before.endpoints.find(({ networkId }) => networkId === open.network.id);
    if (endpoint === undefined)
      throw new EngineError("forbidden", `container ${containerId} is not connected to network ${open.network.name}`);
    const after = { ...before, endpoints: before.endpoints.filter((one) => one !== endpoint) };
    await this.#options.store.saveSandbox(after);
    this.#sandboxes.set(containerId, after);
    open.endpoints.delete(containerId);
    if (endpoint.link === "") return;
    await removeLinks([endpoint.link]);
    await this.#options.filter.remove([endpoint.link]);
    giveAddresses(open, endpoint);
    await this.#restoreRoutes(after, before);
    await this.#leadNames(after);
  }

  async release(containerId: ContainerId): Promise<void> {
    const sandbox = this.#sandboxes.get(containerId);
    if (sandbox === undefined) return;
    await this.#options.store.deleteSandboxes([containerId]);
    this.#sandboxes.delete(containerId);
    this.#discard(sandbox);
  }

  rename(containerId: ContainerId, containerName: string): void {
    const sandbox = this.#sandboxes.get(containerId);
    if (sandbox !== undefined) this.#sandboxes.set(containerId, { ...sandbox, containerName });
  }

  /** Takes over a sandbox that outlived the service, with its addresses, and creates what is missing. */
  async adopt(sandbox: StoredSandbox): Promise<void> {
    this.#sandboxes.set(sandbox.containerId, sandbox);
    for (const endpoint of sandbox.endpoints) {
      const open = this.#networkOf(endpoint);
      if (open === undefined) continue;
      open.endpoints.set(sandbox.containerId, endpoint);
      holdAddresses(open, endpoint);
      // The row is written before the link is made, so a crash may have left the row alone.
      if (endpoint.link === "" || (await linkExists(endpoint.link))) continue;
      const gateways = routesVia(defaultRoutes(sandbox.endpoints), endpoint);
      await addPlace(basename(sandbox.path), placeOf(open, endpoint, gateways));
      await this.#leadNames(sandbox);
    }
  }

  /** Makes the packet filter exactly that for the sandboxes in use. */
  async restoreFilter(): Promise<void> {
    await this.#options.filter.reset([...this.#sandboxes.values()].flatMap((sandbox) => this.#filtered(sandbox)));
  }

  /** How many sandboxes are in the pool. */
  readyCount(): number {
    return this.#ready.count();
  }

  /** Fills the pool of sandboxes. */
  fill(): void {
    this.#ready.fill();
  }

  /** Stops the pool, removes its namespaces and waits for work in progress. */
  async close(): Promise<void> {
    for (const { path, endpoints } of await this.#ready.close()) this.#teardown.enqueue(path, endpoints);
    await this.#teardown.settle();
  }

  /** Creates the sandbox; the caller writes the row. */
  async #build(request: SandboxRequest): Promise<StoredSandbox> {
    const { containerId, containerName, owner, hostServices, nameservers } = request;
    const wanted = Object.entries(request.endpoints).map(([ref, asked]) => ({
      open: findRecorded(this.#options.networks, ref, owner),
      asked,
    }));
    const common = {
      containerId,
      containerName,
      owner,
      hostServices,
      nameservers: nameservers?.length ? nameservers : undefined,
    };
    const [first, ...more] = wanted;
    if (first !== undefined && more.length === 0 && isDefault(first.open) && isPlain(first.asked)) {
      const { path, endpoint } = await this.#ready.take(first.asked);
      first.open.endpoints.set(containerId, endpoint);
      return { ...common, path, endpoints: [endpoint] };
    }
    const taken: { readonly open: OpenNetwork; readonly endpoint: PlacedEndpoint }[] = [];
    let path = newNamespacePath(this.#options.instance);
    try {
      for (const { open, asked } of wanted) {
        const interfaces = taken.map(({ endpoint }) => endpoint.interfaceName);
        taken.push({ open, endpoint: await this.#take(open, containerId, asked, interfaces, request.hostname) });
      }
      const placed = taken.filter(({ endpoint }) => endpoint.link !== "");
      const routes = defaultRoutes(placed.map(({ endpoint }) => endpoint));
      const places = placed.map(({ open, endpoint }) => placeOf(open, endpoint, routesVia(routes, endpoint)));
      if (places.length === 0) path = await this.#ready.takeLone();
      else await makeNamespaces([{ name: basename(path), places }]);
      const sandbox = { ...common, path, endpoints: taken.map(({ endpoint }) => endpoint) };
      await this.#leadNames(sandbox);
      return sandbox;
    } catch (thrown) {
      this.#discard({ containerId, path, endpoints: taken.map(({ endpoint }) => endpoint) });
      throw thrown;
    }
  }

  /** Retries after the teardown in progress: a restarted container requests its previous address. */
  async #take(...wanted: Parameters<typeof takePlace>): Promise<PlacedEndpoint> {
    try {
      return takePlace(...wanted);
    } catch (thrown) {
      if (!this.#teardown.pending()) throw thrown;
      await this.#teardown.settle();
      return takePlace(...wanted);
    }
  }

  #discard({ containerId, path, endpoints }: Pick<StoredSandbox, "containerId" | "path" | "endpoints">): void {
    for (const endpoint of endpoints) this.#networkOf(endpoint)?.endpoints.delete(containerId);
    this.#teardown.enqueue(path, endpoints);
  }

  /** Leads the default routes over the endpoints in use, where other ones had them. */
  async #restoreRoutes(now: StoredSandbox, earlier: StoredSandbox): Promise<void> {
    const [wanted, old] = [defaultRoutes(now.endpoints), defaultRoutes(earlier.endpoints)];
    if (wanted.ipv4 !== undefined && wanted.ipv4 !== old.ipv4)
      await setDefaultRoute(basename(now.path), wanted.ipv4.gateway);
    if (wanted.ipv6 !== undefined && wanted.ipv6 !== old.ipv6)
      await setDefaultRoute(basename(now.path), wanted.ipv6.ipv6.gateway);
  }

  /** Redirects the sandbox's name service address to the gateway of one of its user networks. */
  async #leadNames({ path, endpoints }: StoredSandbox): Promise<void> {
    const found = nameServersOf(endpoints, this.#options.networks).find(({ address }) => ipFamily(address) === "ipv4");
    if (found !== undefined) await leadNames(basename(path), found.address, found.onLink);
  }

  #filtered({ owner, hostServices, endpoints }: StoredSandbox): readonly FilteredEndpoint[] {
    return endpoints.map((endpoint) => {
      const open = this.#networkOf(endpoint);
      const { link, bridge, macAddress, address, ipv6 } = endpoint;
      return {
        ...{ link, bridge, macAddress, owner, hostServices },
        addresses: [address, ipv6.address].filter((one) => one !== ""),
        linkLocals: [...linkLocals(endpoint), ...(speaksIPv6(endpoint) ? [linkLocalOf(macAddress)] : [])],
        separatesOwners: open !== undefined && isDefault(open),
        isolated: open !== undefined && bridgeOptions(open.network.options).isolated,
      };
    });
  }

  #shown({ path, endpoints }: StoredSandbox): Sandbox {
    const servers = nameServersOf(endpoints, this.#options.networks);
    // Nothing leads from an IPv4 address to one of IPv6, so that a container on networks of IPv6 alone asks the gateway itself.
    const nameserver = servers.some(({ address }) => ipFamily(address) === "ipv4")
      ? NAME_SERVICE_ADDRESS
      : servers[0]?.address;
    return { path, endpoints, nameserver, sysctls: interfaceSysctls(endpoints) };
  }

  #running(containerId: ContainerId): StoredSandbox {
    const sandbox = this.#sandboxes.get(containerId);
    if (sandbox === undefined) throw new EngineError("conflict", `container ${containerId} is not running`);
    return sandbox;
  }

  #find(ref: string): OpenNetwork {
    return findNetwork(this.#options.networks, ref, viewerOf(undefined));
  }

  #networkOf({ networkId }: PlacedEndpoint): OpenNetwork | undefined {
    return this.#options.networks.get(networkId);
  }
}

function isDefault({ network }: OpenNetwork): boolean {
  return network.name === DEFAULT_NETWORK;
}
