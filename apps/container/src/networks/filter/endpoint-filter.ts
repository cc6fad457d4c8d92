import { createElements, type Element, type Holding } from "./elements.ts";
import type { Nft } from "./nft.ts";
import { ENDPOINT_SETS, tableCommands } from "./ruleset.ts";

/** A container's place on a bridge, as the packet filter sees it. */
export interface FilteredEndpoint {
  /** The host's end of its links. */
  readonly link: string;
  readonly address: string;
  readonly macAddress: string;
  /** The directory's id of the container's owner; undefined for the administrators, who count as one. */
  readonly owner: string | undefined;
  /** Whether it may reach the services of the host. */
  readonly hostServices: boolean;
  /** Whether containers of different owners are apart on its network. */
  readonly separatesOwners: boolean;
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
function elementsOf(
  { link, address, macAddress, owner, hostServices, separatesOwners }: FilteredEndpoint,
  number: number,
): readonly Element[] {
  const isChecked = owner !== undefined || separatesOwners;
  return [
    ...(isChecked
      ? [
          { family: "bridge", set: "links", key: link } as const,
          { family: "bridge", set: "sources", key: `${link} . ${macAddress} . ${address}` } as const,
        ]
      : []),
    ...(separatesOwners
      ? [
          { family: "bridge", set: "link_owners", key: link, value: `${number}` } as const,
          { family: "bridge", set: "owned_links", key: `${number} . ${link}` } as const,
          { family: "ip", set: "address_owners", key: address, value: `${number}` } as const,
          { family: "ip", set: "owned_addresses", key: `${number} . ${address}` } as const,
        ]
      : []),
    ...(owner !== undefined && !hostServices ? [{ family: "ip", set: "guests", key: address } as const] : []),
  ];
}
