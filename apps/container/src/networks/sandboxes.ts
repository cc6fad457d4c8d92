import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import type { ContainerId } from "../containers/container.ts";
import type { Log } from "../containers/surroundings.ts";
import { EngineError } from "../errors.ts";
import { isPlain, macAddressOf, newLink, placeOf, takePlace } from "./join.ts";
import { leadNames, nameServiceAddress } from "./name-rules.ts";
import {
  addPlace,
  linkExists,
  makeNamespaces,
  namespacePath,
  removeLinks,
  removeNamespaces,
  setDefaultRoute,
} from "./namespace.ts";
import { defaultNetwork, findNetwork, isUserNetwork, type OpenNetwork } from "./network-table.ts";
import type { Endpoint, Networks, Sandbox, SandboxRequest } from "./networks.ts";
import { bridgeOptions } from "./plan-network.ts";
import { createPool, type Pool } from "./sandbox-pool.ts";
import type { NetworkStore, PlacedEndpoint, StoredSandbox } from "./store.ts";

/** A namespace on the default network that no container has yet. */
interface ReadySandbox {
  readonly path: string;
  readonly link: string;
  readonly interfaceName: string;
  readonly address: string;
}

type Leaving = Pick<PlacedEndpoint, "networkId" | "link" | "address">;

/** Long enough for a response to go out first, and for those of one `compose down` to go together. */
const gatherMs = 100;

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
  pool: Pool<ReadySandbox>;
  /** Stops the pool, gives its namespaces back and waits for what is under way. */
  close(): Promise<void>;
}

/** The start of the names of the instance's namespaces. */
export const namespacePrefix = (instance: string): string => `${instance}-`;

const networkOf = (networks: ReadonlyMap<string, OpenNetwork>, endpoint: PlacedEndpoint): OpenNetwork | undefined =>
  networks.get(endpoint.networkId);

export const createSandboxes = ({ instance, store, networks, poolSize, log }: SandboxesOptions): Sandboxes => {
  const sandboxes = new Map<ContainerId, StoredSandbox>();
  const leaving: { readonly path: string; readonly endpoints: readonly Leaving[] }[] = [];
  const underWay = new Set<Promise<void>>();
  let dismantling: NodeJS.Timeout | undefined;
  const newName = () => `${namespacePrefix(instance)}${randomBytes(6).toString("hex")}`;

  /**
   * Away from the request's path, and those of a while together in one process. The addresses are free for others only when
   * nothing has them any more.
   */
  const dismantle = (path: string, endpoints: readonly Leaving[]) => {
    leaving.push({ path, endpoints });
    dismantling ??= setTimeout(dismantleAll, gatherMs).unref();
  };
  const dismantleAll = () => {
    const gone = leaving.splice(0);
    clearTimeout(dismantling);
    dismantling = undefined;
    const names = gone.map(({ path, endpoints }) => ({
      name: basename(path),
      links: endpoints.map(({ link }) => link).filter((link) => link !== ""),
    }));
    const work = removeNamespaces(names)
      .then(() => {
        for (const { networkId, address } of gone.flatMap(({ endpoints }) => endpoints))
          networks.get(networkId)?.book?.give(address);
      })
      .catch((thrown: unknown) => log.error({ names, fault: String(thrown) }, "sandboxes could not be removed"))
      .finally(() => underWay.delete(work));
    underWay.add(work);
  };

  const makeReady = async (count: number): Promise<readonly ReadySandbox[]> => {
    const open = findNetwork(networks, defaultNetwork);
    const made: ReadySandbox[] = [];
    try {
      for (let index = 0; index < count; index++)
        made.push({
          path: namespacePath(newName()),
          link: newLink(),
          interfaceName: `${bridgeOptions(open.network.options).interfacePrefix}0`,
          address: open.book?.take() ?? "",
        });
      await makeNamespaces(
        made.map((ready) => ({
          name: basename(ready.path),
          places: [placeOf(open, endpointAt(open, ready, {}), { routed: true })],
        })),
      );
    } catch (thrown) {
      for (const { address } of made) open.book?.give(address);
      throw thrown;
    }
    return made;
  };
  const readyNow = async (): Promise<ReadySandbox> => {
    const [ready] = await makeReady(1);
    if (ready === undefined) throw new Error("no sandbox was made");
    return ready;
  };
  const pool = createPool(poolSize, makeReady, log);

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
      const ready = pool.take() ?? (await readyNow());
      const endpoint = endpointAt(first.open, ready, first.request);
      first.open.endpoints.set(containerId, endpoint);
      return { ...common, path: ready.path, endpoints: [endpoint] };
    }
    const taken: { readonly open: OpenNetwork; readonly endpoint: PlacedEndpoint }[] = [];
    const path = namespacePath(newName());
    try {
      for (const { open, request } of wanted) {
        const interfaces = taken.map(({ endpoint }) => endpoint.interfaceName);
        taken.push({ open, endpoint: takePlace(open, containerId, request, interfaces) });
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
      dismantle(
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
      ? nameServiceAddress
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
    dismantle(sandbox.path, sandbox.endpoints);
  };

  return {
    all: sandboxes,
    pool,
    claim: async (request) => {
      await release(request.containerId);
      const sandbox = await build(request);
      try {
        await store.saveSandbox(sandbox);
      } catch (thrown) {
        for (const endpoint of sandbox.endpoints) networkOf(networks, endpoint)?.endpoints.delete(request.containerId);
        dismantle(sandbox.path, sandbox.endpoints);
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
      const endpoint = takePlace(open, containerId, request, interfaces);
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
      const network = networks.size === 0 ? undefined : findNetwork(networks, defaultNetwork).network.id;
      for (const { path, link, address } of await pool.close())
        dismantle(path, [{ networkId: network ?? "", link, address }]);
      dismantleAll();
      await Promise.all(underWay);
    },
  };
};

const isDefault = ({ network }: OpenNetwork): boolean => network.name === defaultNetwork;

const endpointAt = (
  open: OpenNetwork,
  { link, interfaceName, address }: ReadySandbox,
  request: PlacedEndpoint["request"],
): PlacedEndpoint => ({
  networkId: open.network.id,
  networkName: open.network.name,
  endpointId: randomBytes(32).toString("hex"),
  address,
  prefixLength: open.book?.subnet.prefixLength ?? 0,
  gateway: open.book?.gateway ?? "",
  macAddress: macAddressOf(address),
  aliases: [],
  request,
  bridge: open.bridge,
  link,
  interfaceName,
});
