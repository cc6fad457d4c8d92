import { type IpFamily, ipFamily, parseIp } from "@berth/port-spec";
import type { Element } from "./element.ts";
import { createElements, type Holding } from "./elements.ts";
import type { Nft } from "./nft.ts";
import { ENDPOINT_SETS, tableCommands } from "./tables.ts";

/** A container's place on a bridge, as the packet filter sees it. */
export interface FilteredEndpoint {
  /** The host's end of its links. */
  readonly link: string;
  readonly bridge: string;
  /** Of both families: the network's, by which the container is known beyond its bridge too. */
  readonly addresses: readonly string[];
  /** Of both families: those that mean something on its bridge alone. */
  readonly linkLocals: readonly string[];
  readonly macAddress: string;
  /** The directory's id of the container's owner; undefined for the administrators, who count as one. */
  readonly owner: string | undefined;
  /** Whether it may reach the services of the host. */
  readonly hostServices: boolean;
  /** Whether containers of different owners are apart on its network. */
  readonly separatesOwners: boolean;
  /** Whether containers reach each other on it through published ports alone. */
  readonly isolated: boolean;
}

/** Binds each container to its addresses and its owner, in the kernel. The cost of one does not grow with their number. */
export interface EndpointFilter {
  /** One transaction. With an error none of the endpoints is in the filter. */
  add(endpoints: readonly FilteredEndpoint[]): Promise<void>;
  /** By link. Idempotent. */
  remove(links: readonly string[]): Promise<void>;
  /** Makes the filter exactly that for `endpoints`: one transaction. */
  reset(endpoints: readonly FilteredEndpoint[]): Promise<void>;
}

/** @param table the instance's tables; see `tableCommands`. */
export function createEndpointFilter(nft: Nft, table: string): EndpointFilter {
  const elements = createElements<string>(nft, table, { prepare: tableCommands(table), sets: ENDPOINT_SETS });
  const numbers = new Map<string | undefined, number>();
  const numberOf = (owner: string | undefined): number => {
    const known = numbers.get(owner) ?? numbers.size + 1;
    numbers.set(owner, known);
    return known;
  };
  const holding = (endpoints: readonly FilteredEndpoint[]): Holding<string> =>
    new Map(
      endpoints
        .filter(({ link }) => link !== "")
        .map((endpoint) => [endpoint.link, elementsOf(endpoint, numberOf(endpoint.owner))]),
    );
  return {
    add: (endpoints) => elements.put(holding(endpoints)),
    remove: (links) => elements.remove(links),
    reset: (endpoints) => elements.reset(holding(endpoints)),
  };
}

/**
 * An administrator's container on a network of its own may send from any address: it may be a router, or share an address with
 * another one.
 */
function elementsOf(endpoint: FilteredEndpoint, number: number): readonly Element[] {
  const { link, owner, hostServices, separatesOwners, addresses } = endpoint;
  const isChecked = owner !== undefined || separatesOwners;
  return [
    ...(isChecked ? sourcesOf(endpoint) : []),
    ...(endpoint.isolated ? [{ family: "bridge", set: "isolated_links", key: link } as const] : []),
    ...(separatesOwners
      ? [
          { family: "bridge", set: "separated_links", key: link } as const,
          { family: "bridge", set: "link_owners", key: link, value: `${number}` } as const,
          { family: "bridge", set: "owned_links", key: `${number} . ${link}` } as const,
          ...addresses.flatMap((address) => {
            const family = TABLES[ipFamily(address)];
            return [
              { family, set: "address_owners", key: address, value: `${number}` },
              { family, set: "owned_addresses", key: `${number} . ${address}` },
            ];
          }),
        ]
      : []),
    ...(owner !== undefined && !hostServices ? guestsOf(endpoint) : []),
  ];
}

const TABLES = { ipv4: "ip", ipv6: "ip6" } as const satisfies Readonly<Record<IpFamily, string>>;

/** What a container may send from. */
function sourcesOf({ link, macAddress, addresses, linkLocals }: FilteredEndpoint): readonly Element[] {
  const port = `${link} . ${macAddress}`;
  return [
    { family: "bridge", set: "links", key: link },
    ...[...addresses, ...linkLocals].flatMap((address): readonly Element[] =>
      ipFamily(address) === "ipv4"
        ? [{ family: "bridge", set: "sources", key: `${port} . ${address}` }]
        : [
            { family: "bridge", set: "sources6", key: `${port} . ${address}` },
            { family: "bridge", set: "targets6", key: `${port} . 0x${(parseIp(address) ?? 0n).toString(16)}` },
          ],
    ),
  ];
}

/** The addresses of a container whose user may not reach the services of the host. Every link-local one of IPv4 is a guest's. */
function guestsOf({ bridge, addresses, linkLocals }: FilteredEndpoint): readonly Element[] {
  return [
    ...addresses
      .filter((address) => ipFamily(address) === "ipv4")
      .map((address) => ({ family: "ip", set: "guests", key: address }) as const),
    ...[...addresses, ...linkLocals]
      .filter((address) => ipFamily(address) === "ipv6")
      .map((address) => ({ family: "ip6", set: "guests", key: `${bridge} . ${address}` }) as const),
  ];
}
