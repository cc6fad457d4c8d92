import { randomBytes } from "node:crypto";
import { parseCidr } from "@berth/port-spec";
import { interfaceSysctls } from "../engine/endpoint-sysctls.ts";
import { EngineError } from "../engine/errors.ts";
import type { Filters } from "../engine/filters.ts";
import type { ContainerId } from "../engine/ids.ts";
import { sees, type Viewer } from "../engine/owners.ts";
import { localPrefix, USER_POOLS } from "./addresses/pools.ts";
import { takePlace } from "./join.ts";
import { listFilter, pruneFilter } from "./network-filters.ts";
import {
  findNetwork,
  findRecorded,
  giveAddresses,
  type OpenNetwork,
  openNetwork,
  recordedNetwork,
  seesNetwork,
} from "./network-table.ts";
import type {
  CreateNetworkRequest,
  Endpoint,
  EndpointRequest,
  Network,
  NetworkCreator,
  Networks,
  Sandbox,
  SandboxRequest,
} from "./networks.ts";
import { PREDEFINED, planNetwork } from "./plan-network.ts";
import { predefinedNetworks } from "./predefined.ts";
import type { PlacedEndpoint } from "./store.ts";

interface Held {
  readonly containerName: string;
  readonly endpoints: readonly PlacedEndpoint[];
}

/** The networks without a host under them: the same names, subnets and addresses, and no namespace, bridge or row. */
export class MemoryNetworks implements Networks {
  readonly #networks = new Map<string, OpenNetwork>();
  readonly #sandboxes = new Map<ContainerId, Held>();

  constructor() {
    const subnet = parseCidr("172.29.0.0/16");
    if (subnet === undefined) throw new Error("the default subnet");
    const predefined = predefinedNetworks({
      bridge: "berth0",
      subnet,
      createdAt: "2026-01-01T00:00:00Z",
    });
    for (const network of predefined) this.#add({ ...network, id: newId() });
  }

  /** The containers that have a sandbox. */
  get holders(): ReadonlySet<ContainerId> {
    return new Set(this.#sandboxes.keys());
  }

  get(ref: string, viewer: Viewer): Network {
    return findNetwork(this.#networks, ref, viewer).network;
  }

  recorded(ref: string, owner: string | undefined): Network | undefined {
    return recordedNetwork(this.#networks, ref, owner);
  }

  list(filters: Filters, viewer: Viewer): readonly Network[] {
    const passes = listFilter(filters);
    return this.#seenBy(viewer)
      .filter(({ network, endpoints }) => passes(network, { inUse: endpoints.size > 0 }))
      .map(({ network }) => network);
  }

  async create(request: CreateNetworkRequest, { viewer, authorize }: NetworkCreator) {
    const own = [...this.#networks.values()].filter(({ network }) => network.owner === viewer.id);
    if (own.some(({ network }) => network.name === request.name) && !PREDEFINED.has(request.name))
      throw new EngineError("conflict", `network with name ${request.name} already exists`);
    authorize(own.length);
    const subnets = [...this.#networks.values()]
      .flatMap(({ book, book6 }) => [book?.subnet, book6?.subnet])
      .filter((subnet) => subnet !== undefined);
    const createdAt = new Date().toISOString();
    const network = planNetwork(request, {
      id: newId(),
      owner: viewer.id,
      createdAt,
      networks: subnets,
      routes: [],
      pools: USER_POOLS,
      local: localPrefix("tests"),
    });
    this.#add(network);
    return { id: network.id, warning: "" };
  }

  async remove(ref: string, viewer: Viewer): Promise<void> {
    const { network, endpoints } = findNetwork(this.#networks, ref, viewer);
    if (PREDEFINED.has(network.name) || endpoints.size > 0)
      throw new EngineError("forbidden", `network ${network.name} cannot be removed`);
    this.#networks.delete(network.id);
  }

  async prune(filters: Filters, viewer: Viewer): Promise<readonly Network[]> {
    const passes = pruneFilter(filters, Date.now());
    const unused = [...this.#networks.values()]
      .filter(({ network, endpoints }) => endpoints.size === 0 && sees(viewer, network) && passes(network))
      .map(({ network }) => network);
    for (const { id } of unused) this.#networks.delete(id);
    return unused;
  }

  endpointsOn(networkId: string): ReadonlyMap<ContainerId, Endpoint> {
    return this.#networks.get(networkId)?.endpoints ?? new Map();
  }

  async claim({ containerId, containerName, owner, hostname, endpoints }: SandboxRequest): Promise<Sandbox> {
    await this.release(containerId);
    const placed: PlacedEndpoint[] = [];
    try {
      for (const [ref, request] of Object.entries(endpoints)) {
        const interfaces = placed.map(({ interfaceName }) => interfaceName);
        placed.push(takePlace(findRecorded(this.#networks, ref, owner), containerId, request, interfaces, hostname));
      }
    } catch (thrown) {
      this.#give(containerId, placed);
      throw thrown;
    }
    this.#sandboxes.set(containerId, { containerName, endpoints: placed });
    return shown(containerId, placed);
  }

  sandboxOf(containerId: ContainerId): Sandbox | undefined {
    const sandbox = this.#sandboxes.get(containerId);
    return sandbox === undefined ? undefined : shown(containerId, sandbox.endpoints);
  }

  async connect(
    containerId: ContainerId,
    containerName: string,
    ref: string,
    request: EndpointRequest,
    hostname?: string,
  ): Promise<Endpoint> {
    const { endpoints } = this.#running(containerId);
    const open = findRecorded(this.#networks, ref, undefined);
    const interfaces = endpoints.map(({ interfaceName }) => interfaceName);
    const endpoint = takePlace(open, containerId, request, interfaces, hostname);
    this.#sandboxes.set(containerId, { containerName, endpoints: [...endpoints, endpoint] });
    return endpoint;
  }

  async disconnect(containerId: ContainerId, ref: string): Promise<void> {
    const { containerName, endpoints } = this.#running(containerId);
    const { network } = findRecorded(this.#networks, ref, undefined);
    this.#give(
      containerId,
      endpoints.filter(({ networkId }) => networkId === network.id),
    );
    const rest = endpoints.filter(({ networkId }) => networkId !== network.id);
    this.#sandboxes.set(containerId, { containerName, endpoints: rest });
  }

  async release(containerId: ContainerId): Promise<void> {
    this.#give(containerId, this.#sandboxes.get(containerId)?.endpoints ?? []);
    this.#sandboxes.delete(containerId);
  }

  rename(containerId: ContainerId, containerName: string): void {
    const sandbox = this.#sandboxes.get(containerId);
    if (sandbox !== undefined) this.#sandboxes.set(containerId, { ...sandbox, containerName });
  }

  async recover(running: ReadonlySet<ContainerId>): Promise<void> {
    for (const containerId of this.holders) if (!running.has(containerId)) await this.release(containerId);
  }

  async close(): Promise<void> {}

  #seenBy(viewer: Viewer): readonly OpenNetwork[] {
    return [...this.#networks.values()].filter((open) => seesNetwork(viewer, open));
  }

  #running(containerId: ContainerId): Held {
    const sandbox = this.#sandboxes.get(containerId);
    if (sandbox === undefined) throw new EngineError("conflict", `container ${containerId} is not running`);
    return sandbox;
  }

  #add(network: Network): void {
    this.#networks.set(network.id, openNetwork(network));
  }

  #give(containerId: ContainerId, endpoints: readonly PlacedEndpoint[]): void {
    for (const endpoint of endpoints) {
      const open = this.#networks.get(endpoint.networkId);
      open?.endpoints.delete(containerId);
      giveAddresses(open, endpoint);
    }
  }
}

function newId(): string {
  return randomBytes(32).toString("hex");
}

function shown(containerId: ContainerId, endpoints: readonly PlacedEndpoint[]): Sandbox {
  return { path: `/run/netns/${containerId}`, endpoints, nameserver: undefined, sysctls: interfaceSysctls(endpoints) };
}
