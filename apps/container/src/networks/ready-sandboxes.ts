import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import type { Log } from "../engine/log.ts";
import { viewerOf } from "../engine/owners.ts";
import { bridgeOptions } from "./bridge-options.ts";
import { gatewaysOf } from "./default-routes.ts";
import { freeMacAddress, newEndpointId, newLink, placeOf, takeAddresses } from "./join.ts";
import { makeNamespaces, namespacePath } from "./namespace.ts";
import { DEFAULT_NETWORK, findNetwork, giveAddresses, type OpenNetwork } from "./network-table.ts";
import type { EndpointRequest } from "./networks.ts";
import { createPool, type Pool } from "./sandbox-pool.ts";
import type { PlacedEndpoint } from "./store.ts";

/** A namespace on the default network that no container uses yet. */
export interface ReadySandbox {
  readonly path: string;
  readonly endpoint: PlacedEndpoint;
}

/** The pools of sandboxes: on the default network, and on none. */
export interface ReadySandboxes {
  /** Takes one from the pool, or creates one if the pool is empty; its endpoint then has the request. */
  take(request: EndpointRequest): Promise<ReadySandbox>;
  /** As {@link take}: a namespace with a loopback alone. Its pool fills once there was use for one. */
  takeLone(): Promise<string>;
  /** How many are in the pool of the default network. */
  count(): number;
  fill(): void;
  /** Stops refilling and returns the unused sandboxes. */
  close(): Promise<readonly { readonly path: string; readonly endpoints: readonly PlacedEndpoint[] }[]>;
}

/** The prefix of the instance's namespaces' names. */
export function namespacePrefix(instance: string): string {
  return `${instance}-`;
}

export function newNamespacePath(instance: string): string {
  return namespacePath(`${namespacePrefix(instance)}${randomBytes(6).toString("hex")}`);
}

export function createReadySandboxes(
  instance: string,
  networks: ReadonlyMap<string, OpenNetwork>,
  options: { readonly poolSize: number; readonly log: Log },
): ReadySandboxes {
  const make = async (count: number): Promise<readonly ReadySandbox[]> => {
    const open = findNetwork(networks, DEFAULT_NETWORK, viewerOf(undefined));
    const made: ReadySandbox[] = [];
    try {
      for (let index = 0; index < count; index++)
        made.push({ path: newNamespacePath(instance), endpoint: plainEndpoint(open) });
      await makeNamespaces(
        made.map(({ path, endpoint }) => ({
          name: basename(path),
          places: [placeOf(open, endpoint, gatewaysOf(endpoint))],
        })),
      );
    } catch (thrown) {
      for (const { endpoint } of made) giveAddresses(open, endpoint);
      throw thrown;
    }
    return made;
  };
  const makeLone = async (count: number): Promise<readonly string[]> => {
    const paths = Array.from({ length: count }, () => newNamespacePath(instance));
    await makeNamespaces(paths.map((path) => ({ name: basename(path), places: [] })));
    return paths;
  };
  const pool = createPool(options.poolSize, make, options.log);
  const lone = createPool(options.poolSize, makeLone, options.log);

  return {
    take: async (request) => {
      const { path, endpoint } = await takeFrom(pool, make);
      return { path, endpoint: { ...endpoint, endpointId: newEndpointId(), request } };
    },
    takeLone: () => takeFrom(lone, makeLone),
    count: pool.count,
    fill: pool.fill,
    close: async () => {
      const [ready, paths] = await Promise.all([pool.close(), lone.close()]);
      return [
        ...ready.map(({ path, endpoint }) => ({ path, endpoints: [endpoint] })),
        ...paths.map((path) => ({ path, endpoints: [] })),
      ];
    },
  };
}

async function takeFrom<T>(pool: Pool<T>, make: (count: number) => Promise<readonly T[]>): Promise<T> {
  const ready = pool.take() ?? (await make(1))[0];
  if (ready === undefined) throw new Error("no sandbox was made");
  return ready;
}

function plainEndpoint(open: OpenNetwork): PlacedEndpoint {
  const { ipv4, ipv6 } = takeAddresses(open, {});
  return {
    networkId: open.network.id,
    networkName: open.network.name,
    endpointId: newEndpointId(),
    ...ipv4,
    ipv6,
    macAddress: freeMacAddress(open, ipv4.address || ipv6.address),
    aliases: [],
    request: {},
    bridge: open.bridge,
    link: newLink(),
    interfaceName: `${bridgeOptions(open.network.options).interfacePrefix}0`,
  };
}
