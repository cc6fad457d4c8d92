import { formatCidr, type IpFamily } from "@berth/port-spec";
import { EngineError, isEngineError } from "../engine/errors.ts";
import type { ContainerId } from "../engine/ids.ts";
import { parseOwnedRef, pickNamesake, sees, type Viewer, viewerOf } from "../engine/owners.ts";
import { isShared, networkName } from "../policy/networks.ts";
import { type AddressBook, openAddressBook } from "./addresses/address-book.ts";
import { type BridgeOptions, bridgeMacAddress } from "./bridge.ts";
import { bridgeOptions, isAddressless } from "./bridge-options.ts";
import type { FilteredNetwork } from "./filter/filtered-network.ts";
import type { Bridges, FamilyBridges } from "./firewalls/bridges.ts";
import type { NameService } from "./name-service/name-service.ts";
import { AmbiguousNetworkId, type Endpoint, type Network } from "./networks.ts";
import { isPredefined } from "./plan-network.ts";
import type { PlacedEndpoint } from "./store.ts";

/** A network with what is on it now. */
export interface OpenNetwork {
  readonly network: Network;
  /** The host's bridge; empty for `host` and `none`. */
  readonly bridge: string;
  readonly book: AddressBook | undefined;
  readonly book6: AddressBook | undefined;
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
    book: openAddressBook(network, "ipv4"),
    book6: openAddressBook(network, "ipv6"),
    endpoints: new Map(),
  };
}

/** The host's bridge of a network, at its gateways' addresses. */
export function bridgeOf({ network, bridge, book, book6 }: OpenNetwork, instance: string): BridgeOptions {
  const addressOf = (one: AddressBook | undefined, family: IpFamily) =>
    one === undefined || isAddressless(network, family) ? [] : [`${one.gateway}/${one.subnet.prefixLength}`];
  return {
    name: bridge,
    instance,
    addresses: [...addressOf(book, "ipv4"), ...addressOf(book6, "ipv6")],
    macAddress: bridgeMacAddress(network),
    mtu: bridgeOptions(network.options).mtu,
    routes: book !== undefined && isAddressless(network, "ipv4") ? [formatCidr(book.subnet)] : [],
    ipv6: book6 === undefined ? "default" : isAddressless(network, "ipv6") ? "off" : "on",
  };
}

/** An endpoint's addresses in both families. */
export type Addresses = Pick<Endpoint, "address" | "ipv6">;

/** Marks the addresses of an endpoint as taken, without checks. */
export function holdAddresses({ book, book6 }: OpenNetwork, { address, ipv6 }: Addresses): void {
  book?.hold(address);
  book6?.hold(ipv6.address);
}

/** Frees the addresses of an endpoint. Idempotent; an empty address is none. */
export function giveAddresses(open: OpenNetwork | undefined, { address, ipv6 }: Addresses): void {
  open?.book?.give(address);
  open?.book6?.give(ipv6.address);
}

/** Whether the viewer may use the network: its own, one shared with it, a default one, and for an administrator every one. */
export function seesNetwork(viewer: Viewer, { network }: OpenNetwork): boolean {
  return sees(viewer, network) || isPredefined(network) || isShared(viewer, network);
}

/** Those of the networks that need a constraint's leave, as constraints name them: neither the owner's own nor default ones. */
export function namesOfOthers(networks: Iterable<Network>, owner: string | undefined): readonly string[] {
  return [...networks].filter((network) => network.owner !== owner && !isPredefined(network)).map(networkName);
}

/**
 * The network of that id, name, `OWNER/NAME`, or unique start of an id, in this order, among those that the viewer sees. Throws
 * Docker's `not-found`, and `invalid` where several are meant.
 */
export function findNetwork(networks: ReadonlyMap<string, OpenNetwork>, ref: string, viewer: Viewer): OpenNetwork {
  const wanted = ref === "default" ? DEFAULT_NETWORK : ref;
  const seen = [...networks.values()].filter((open) => seesNetwork(viewer, open));
  const namesakes = seen.map(({ network }) => network).filter(({ name }) => name === wanted);
  const qualified = parseOwnedRef(wanted);
  const exact =
    seen.find(({ network }) => network.id === wanted) ??
    networks.get(pickNamesake(namesakes, viewer, "network")?.id ?? "") ??
    seen.find(({ network: { owner, name } }) => owner === qualified?.owner && name === qualified?.name);
  if (exact !== undefined) return exact;
  const [first, ...others] = wanted === "" ? [] : seen.filter(({ network }) => network.id.startsWith(wanted));
  if (first === undefined) throw new EngineError("not-found", `network ${ref} not found`);
  if (others.length > 0) throw new AmbiguousNetworkId(ref, others.length + 1);
  return first;
}

/**
 * The network that the record of a container means: by name one that its owner sees, by full id any, because an administrator may
 * have attached the container to another owner's. Throws Docker's `not-found`.
 */
export function findRecorded(
  networks: ReadonlyMap<string, OpenNetwork>,
  ref: string,
  owner: string | undefined,
): OpenNetwork {
  return networks.get(ref) ?? findNetwork(networks, ref, viewerOf(owner));
}

/** As {@link findRecorded}; undefined if the network was removed or `ref` is ambiguous. */
export function recordedNetwork(
  networks: ReadonlyMap<string, OpenNetwork>,
  ref: string,
  owner: string | undefined,
): Network | undefined {
  try {
    return findRecorded(networks, ref, owner).network;
  } catch (thrown) {
    if (!isEngineError(thrown)) throw thrown;
    return undefined;
  }
}

/** The bridges that the firewalls of others are to let through. */
export function bridgesToAdmit(filtered: readonly FilteredNetwork[]): Bridges {
  const family = (networks: readonly FilteredNetwork[], isNamed: (address: string) => boolean): FamilyBridges => ({
    all: networks.map(({ bridge }) => bridge),
    named: networks
      .filter(({ nameService }) => nameService !== undefined && isNamed(nameService.address))
      .map(({ bridge }) => bridge),
  });
  const isIPv6 = (address: string) => address.includes(":");
  return {
    ...family(filtered, (address) => !isIPv6(address)),
    ipv6: family(
      filtered.filter(({ subnets6 }) => subnets6.length > 0),
      isIPv6,
    ),
  };
}

/** What the packet filter needs to know of the bridge networks. */
export function filteredNetworks(networks: Iterable<OpenNetwork>): readonly FilteredNetwork[] {
  return [...networks]
    .filter(({ bridge }) => bridge !== "")
    .map(({ network, bridge, book, book6, nameService }) => ({
      bridge,
      subnets: book === undefined ? [] : [formatCidr(book.subnet)],
      subnets6: book6 === undefined ? [] : [formatCidr(book6.subnet)],
      internal: network.internal,
      isolated: bridgeOptions(network.options).isolated,
      masquerade: bridgeOptions(network.options).masquerade,
      modes: bridgeOptions(network.options).modes,
      addressless: book !== undefined && isAddressless(network, "ipv4"),
      separatesOwners: network.name === DEFAULT_NETWORK,
      ...(nameService === undefined ? {} : { nameService }),
    }));
}
