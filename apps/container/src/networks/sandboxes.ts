import { basename } from "node:path";
import { EngineError } from "../engine/errors.ts";
import type { ContainerId } from "../engine/ids.ts";
import type { Log } from "../engine/log.ts";
import { isPlain, placeOf, takePlace } from "./join.ts";
import { leadNames, NAME_SERVICE_ADDRESS } from "./name-rules.ts";
import { addPlace, linkExists, makeNamespaces, removeLinks, setDefaultRoute } from "./namespace.ts";
import { DEFAULT_NETWORK, findNetwork, isUserNetwork, type OpenNetwork } from "./network-table.ts";
import type { Endpoint, Networks, Sandbox, SandboxRequest } from "./networks.ts";
import { createReadySandboxes, newNamespacePath } from "./ready-sandboxes.ts";
import { createDepartures } from "./sandbox-teardown.ts";
import type { NetworkStore, PlacedEndpoint, StoredSandbox } from "./store.ts";

export interface SandboxesOptions {
  readonly instance: string;
  readonly store: NetworkStore;
  readonly networks: ReadonlyMap<string, OpenNetwork>;
  readonly poolSize: number;
  readonly log: Log;
}

/** The part of {@link Networks} that is about containers, and what its other part needs of it. */
export interface Sandboxes
  extends Pick<Networks, "claim" | "sandboxOf" | "connect" | "disconnect" | "release" | "rename"> {
  readonly all: ReadonlyMap<ContainerId, StoredSandbox>;
  /** Takes up a sandbox that outlived us, with its addresses; makes again what it lacks. */
  adopt(sandbox: StoredSandbox): Promise<void>;
  /** Makes sandboxes ahead from now on. */
  fill(): void;
  /** Stops the pool, gives its namespaces back and waits for what is under way. */
  close(): Promise<void>;
}

function networkOf(networks: ReadonlyMap<string, OpenNetwork>, endpoint: PlacedEndpoint): OpenNetwork | undefined {
  return networks.get(endpoint.networkId);
}

export function createSandboxes({ instance, store, networks, poolSize, log }: SandboxesOptions): Sandboxes {
  const sandboxes = new Map<ContainerId, StoredSandbox>();
  const departures = createDepartures(networks, log);
  const ready = createReadySandboxes(instance, networks, { poolSize, log });

  /** What is on its way out may have what is wanted: a restarted container wants the address that it had. */
  const take = async (...wanted: Parameters<typeof takePlace>): Promise<PlacedEndpoint> => {
    try {
      return takePlace(...wanted);
    } catch (thrown) {
      if (!departures.pending()) throw thrown;
      await departures.settle();
      return takePlace(...wanted);
    }
  };

  /** What a claim takes, before the row says so. */
  const build = async ({
    containerId,
    containerName,
    endpoints,
    nameservers,
  }: SandboxRequest): Promise<StoredSandbox> => {
    const wanted = Object.entries(endpoints).map(([ref, request]) => ({ open: findNetwork(networks, ref), request }));
    const common = { containerId, containerName, nameservers: nameservers?.length ? nameservers : undefined };
    const [first, ...more] = wanted;
    if (first !== undefined && more.length === 0 && isDefault(first.open) && isPlain(first.request)) {
      const { path, endpoint } = await ready.take(first.request);
      first.open.endpoints.set(containerId, endpoint);
      return { ...common, path, endpoints: [endpoint] };
    }
    const taken: { readonly open: OpenNetwork; readonly endpoint: PlacedEndpoint }[] = [];
    const path = newNamespacePath(instance);
    try {
      for (const { open, request } of wanted) {
        const interfaces = taken.map(({ endpoint }) => endpoint.interfaceName);
        taken.push({ open, endpoint: await take(open, containerId, request, interfaces) });
      }
      const placed = taken.filter(({ endpoint }) => endpoint.link !== "");
      const routed = placed.find(({ endpoint }) => endpoint.gateway !== "");
      await makeNamespaces([
        {
          name: basename(path),
          places: placed.map((one) => placeOf(one.open, one.endpoint, { routed: one === routed })),
        },
      ]);
      const sandbox = { ...common, path, endpoints: taken.map(({ endpoint }) => endpoint) };
      await lead(sandbox);
      return sandbox;
    } catch (thrown) {
      for (const { open } of taken) open.endpoints.delete(containerId);
      departures.leave(
        path,
        taken.map(({ endpoint }) => endpoint),
      );
      throw thrown;
    }
  };

  /** Leads the sandbox's name service address to a gateway that it is next to. */
  const lead = async (sandbox: StoredSandbox): Promise<void> => {
    const book = sandbox.endpoints
      .map((endpoint) => networkOf(networks, endpoint))
      .find((open) => open !== undefined && isUserNetwork(open))?.book;
    if (book !== undefined) await leadNames(basename(sandbox.path), book.gateway);
  };

  const shown = ({ path, endpoints }: StoredSandbox): Sandbox => ({
    path,
    endpoints,
    nameserver: endpoints.some((endpoint) => {
      const open = networkOf(networks, endpoint);
      return open !== undefined && isUserNetwork(open);
    })
      ? NAME_SERVICE_ADDRESS
      : undefined,
  });

  const running = (containerId: ContainerId): StoredSandbox => {
    const sandbox = sandboxes.get(containerId);
    if (sandbox === undefined) throw new EngineError("conflict", `container ${containerId} is not running`);
    return sandbox;
  };

  const release = async (containerId: ContainerId): Promise<void> => {
    const sandbox = sandboxes.get(containerId);
    if (sandbox === undefined) return;
    await store.deleteSandboxes([containerId]);
    sandboxes.delete(containerId);
    for (const endpoint of sandbox.endpoints) networkOf(networks, endpoint)?.endpoints.delete(containerId);
    departures.leave(sandbox.path, sandbox.endpoints);
  };

  return {
    all: sandboxes,
    fill: ready.fill,
    claim: async (request) => {
      await release(request.containerId);
      const sandbox = await build(request);
      try {
        await store.saveSandbox(sandbox);
      } catch (thrown) {
        for (const endpoint of sandbox.endpoints) networkOf(networks, endpoint)?.endpoints.delete(request.containerId);
        departures.leave(sandbox.path, sandbox.endpoints);
        throw thrown;
      }
      sandboxes.set(request.containerId, sandbox);
      return shown(sandbox);
    },
    sandboxOf: (containerId) => {
      const sandbox = sandboxes.get(containerId);
      return sandbox === undefined ? undefined : shown(sandbox);
    },
    connect: async (containerId, containerName, ref, request): Promise<Endpoint> => {
      const before = running(containerId);
      const open = findNetwork(networks, ref);
      const interfaces = before.endpoints.map(({ interfaceName }) => interfaceName);
      const endpoint = await take(open, containerId, request, interfaces);
      const after = { ...before, containerName, endpoints: [...before.endpoints, endpoint] };
      try {
        await store.saveSandbox(after);
        sandboxes.set(containerId, after);
        if (endpoint.link !== "") {
          const routed = !before.endpoints.some(({ gateway }) => gateway !== "");
          await addPlace(basename(after.path), placeOf(open, endpoint, { routed }));
          await lead(after);
        }
        return endpoint;
      } catch (thrown) {
        open.endpoints.delete(containerId);
        sandboxes.set(containerId, before);
        await removeLinks(endpoint.link === "" ? [] : [endpoint.link]);
        open.book?.give(endpoint.address);
        await store.saveSandbox(before);
        throw thrown;
      }
    },
    disconnect: async (containerId, ref) => {
      const before = running(containerId);
      const open = findNetwork(networks, ref);
      const endpoint = before.endpoints.find(({ networkId }) => networkId === open.network.id);
      if (endpoint === undefined)
        throw new EngineError("forbidden", `container ${containerId} is not connected to network ${open.network.name}`);
      const after = { ...before, endpoints: before.endpoints.filter((one) => one !== endpoint) };
      await store.saveSandbox(after);
      sandboxes.set(containerId, after);
      open.endpoints.delete(containerId);
      if (endpoint.link === "") return;
      await removeLinks([endpoint.link]);
      open.book?.give(endpoint.address);
      const next = after.endpoints.find(({ gateway }) => gateway !== "");
      if (endpoint.gateway !== "" && next !== undefined) await setDefaultRoute(basename(after.path), next.gateway);
      await lead(after);
    },
    release,
    rename: (containerId, containerName) => {
      const sandbox = sandboxes.get(containerId);
      if (sandbox !== undefined) sandboxes.set(containerId, { ...sandbox, containerName });
    },
    adopt: async (sandbox) => {
      sandboxes.set(sandbox.containerId, sandbox);
      for (const endpoint of sandbox.endpoints) {
        const open = networkOf(networks, endpoint);
        if (open === undefined) continue;
        open.endpoints.set(sandbox.containerId, endpoint);
        open.book?.hold(endpoint.address);
        // The row came first: what did not come after it is made now.
        if (endpoint.link === "" || (await linkExists(endpoint.link))) continue;
        await addPlace(basename(sandbox.path), placeOf(open, endpoint, { routed: false }));
        await lead(sandbox);
      }
    },
    close: async () => {
      for (const { path, endpoint } of await ready.close()) departures.leave(path, [endpoint]);
      await departures.settle();
    },
  };
}

function isDefault({ network }: OpenNetwork): boolean {
  return network.name === DEFAULT_NETWORK;
}
