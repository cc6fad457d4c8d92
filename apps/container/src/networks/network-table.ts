import { EngineError } from "../engine/errors.ts";
import type { ContainerId } from "../engine/ids.ts";
import { type AddressBook, openAddressBook } from "./address-book.ts";
import type { NameService } from "./name-service.ts";
import type { Network } from "./networks.ts";
import { bridgeOptions } from "./plan-network.ts";
import type { FilteredNetwork } from "./ruleset.ts";
import type { PlacedEndpoint } from "./store.ts";

/** A network with what is on it now. */
export interface OpenNetwork {
  readonly network: Network;
  /** The host's bridge; empty for `host` and `none`. */
  readonly bridge: string;
  readonly book: AddressBook | undefined;
  readonly endpoints: Map<ContainerId, PlacedEndpoint>;
  nameService?: NameService;
}

export const DEFAULT_NETWORK = "bridge";

/** Whether names are answered on it and addresses may be asked for: every bridge network but the default one. */
export function isUserNetwork({ network }: OpenNetwork): boolean {
  return network.driver === "bridge" && network.name !== DEFAULT_NETWORK;
}

export function openNetwork(network: Network): OpenNetwork {
  return {
    network,
    bridge:
      network.driver === "bridge" ? (bridgeOptions(network.options).bridge ?? `br-${network.id.slice(0, 12)}`) : "",
    book: openAddressBook(network),
    endpoints: new Map(),
  };
}

/** The network of that id, name, or unique start of an id, in this order; throws Docker's `not-found`. */
export function findNetwork(networks: ReadonlyMap<string, OpenNetwork>, ref: string): OpenNetwork {
  const wanted = ref === "default" ? DEFAULT_NETWORK : ref;
  const all = [...networks.values()];
  const exact = networks.get(wanted) ?? all.find(({ network }) => network.name === wanted);
  if (exact !== undefined) return exact;
  const [first, ...others] = wanted === "" ? [] : all.filter(({ network }) => network.id.startsWith(wanted));
  if (first === undefined) throw new EngineError("not-found", `network ${ref} not found`);
  if (others.length > 0)
    throw new EngineError("invalid", `network ${ref} is ambiguous (${others.length + 1} matches found on ID prefix)`);
  return first;
}

/** What the packet filter has to know of the bridge networks. */
export function filteredNetworks(networks: Iterable<OpenNetwork>): readonly FilteredNetwork[] {
  return [...networks]
    .filter(({ bridge }) => bridge !== "")
    .map(({ network, bridge, nameService }) => ({
      bridge,
      subnets: network.ipam.config.flatMap(({ Subnet }) =>
        Subnet === undefined || Subnet.includes(":") ? [] : [Subnet],
      ),
      internal: network.internal,
      masquerade: bridgeOptions(network.options).masquerade,
      ...(nameService === undefined ? {} : { nameService }),
    }));
}
