import { randomBytes } from "node:crypto";
import { canonicalIp } from "@berth/port-spec";
import { EngineError } from "../engine/errors.ts";
import type { ContainerId } from "../engine/ids.ts";
import type { AddressBook } from "./addresses/address-book.ts";
import { isLinkLocal, linkLocalOf, macAddressOf } from "./addresses/inet.ts";
import { bridgeMacAddress } from "./bridge.ts";
import { bridgeOptions, isAddressless } from "./bridge-options.ts";
import { ENDPOINT_IFNAME } from "./endpoint-rules.ts";
import type { Place } from "./namespace.ts";
import { isUserNetwork, type OpenNetwork } from "./network-table.ts";
import { type EndpointRequest, type InetAddress, NO_ADDRESS } from "./networks.ts";
import type { PlacedEndpoint } from "./store.ts";

export function newLink(): string {
  return `veth${randomBytes(4).toString("hex")}`;
}
export function newEndpointId(): string {
  return randomBytes(32).toString("hex");
}

/**
 * A MAC address for `address` that nothing on the network has: the derived one, or a random local one where a container chose that for
 * itself.
 */
export function freeMacAddress(open: OpenNetwork, address: string): string {
  let macAddress = macAddressOf(address);
  while (hasMac(open, macAddress))
    macAddress = `06:${randomBytes(5)
      .toString("hex")
      .replace(/..(?=.)/g, "$&:")}`;
  return macAddress;
}

/** Whether a sandbox of the pool satisfies the request. */
export function isPlain({ IPAMConfig, MacAddress, Aliases, DriverOpts }: EndpointRequest): boolean {
  const { IPv4Address, IPv6Address, LinkLocalIPs = [] } = IPAMConfig ?? {};
  const addressed = IPv4Address || IPv6Address || LinkLocalIPs.length > 0 || MacAddress;
  return !addressed && (Aliases ?? []).length === 0 && !DriverOpts?.[ENDPOINT_IFNAME];
}

/** The link-local addresses of both families that an endpoint asks for. */
export function linkLocals({ request }: Pick<PlacedEndpoint, "request">): readonly string[] {
  return (request.IPAMConfig?.LinkLocalIPs ?? []).map((address) => canonicalIp(address) ?? address);
}

/** Whether the endpoint's interface speaks IPv6. */
export function speaksIPv6(endpoint: Pick<PlacedEndpoint, "ipv6" | "request">): boolean {
  return endpoint.ipv6.address !== "" || linkLocals(endpoint).some((address) => address.includes(":"));
}

/**
 * Addresses come from the network's address management and nowhere else: not from routers, and without asking the others first, which
 * would delay them. The kernel derives the link-local one from the MAC address, so that the packet filter knows it.
 */
const GIVEN_ADDRESSES = {
  disable_ipv6: "0",
  accept_ra: "0",
  autoconf: "0",
  use_tempaddr: "0",
  accept_dad: "0",
  dad_transmits: "0",
  addr_gen_mode: "0",
};

/** The links and addresses of an endpoint on a bridge. @param gateways the default routes that it gets. */
export function placeOf(open: OpenNetwork, endpoint: PlacedEndpoint, gateways: readonly string[]): Place {
  const { mtu } = bridgeOptions(open.network.options);
  const { address, prefixLength, ipv6 } = endpoint;
  const ipv6Settings = speaksIPv6(endpoint) ? GIVEN_ADDRESSES : { disable_ipv6: "1" };
  return {
    bridge: open.bridge,
    link: endpoint.link,
    interfaceName: endpoint.interfaceName,
    addresses: [
      ...(address === "" ? [] : [`${address}/${prefixLength}`]),
      ...(ipv6.address === "" ? [] : [`${ipv6.address}/${ipv6.prefixLength}`]),
      ...linkLocals(endpoint).map((local) => `${local}/${local.includes(":") ? 64 : 16}`),
    ],
    macAddress: endpoint.macAddress,
    gateways,
    mtu,
    neighbours: address !== "" && isAddressless(open.network, "ipv4") ? [address] : [],
    settings: {
      ...Object.fromEntries(Object.entries(ipv6Settings).map(([key, value]) => [`ipv6.conf.IFNAME.${key}`, value])),
      // The name service answers at a loopback address: see `nameRules`.
      ...(isUserNetwork(open) ? { "ipv4.conf.IFNAME.route_localnet": "1" } : {}),
    },
  };
}

/** The names of a container on a user network besides its own name (moby `buildEndpointDNSNames`). */
function namesOf({ Aliases }: EndpointRequest, id: ContainerId, hostname: string | undefined): readonly string[] {
  return [...new Set([...(Aliases ?? []), id.slice(0, 12), ...(hostname === undefined ? [] : [hostname])])];
}

/** Allocates an address in each of the network's families; after an error none is taken. */
export function takeAddresses(
  { network, book, book6 }: OpenNetwork,
  wanted: { readonly ipv4?: string | undefined; readonly ipv6?: string | undefined },
): { readonly ipv4: InetAddress; readonly ipv6: InetAddress } {
  const take = (from: AddressBook | undefined, address: string | undefined): InetAddress =>
    from === undefined
      ? NO_ADDRESS
      : {
          address: from.take(address),
          prefixLength: from.subnet.prefixLength,
          gateway: network.internal ? "" : from.gateway,
        };
  const ipv4 = take(book, wanted.ipv4);
  try {
    return { ipv4, ipv6: take(book6, wanted.ipv6) };
  } catch (thrown) {
    book?.give(ipv4.address);
    throw thrown;
  }
}

/** Allocates an endpoint for a container: addresses and link names. Throws Docker's errors and then allocates nothing. */
export function takePlace(
  open: OpenNetwork,
  containerId: ContainerId,
  request: EndpointRequest,
  interfaces: readonly string[],
  hostname?: string,
): PlacedEndpoint {
  const { network } = open;
  const user = isUserNetwork(open);
  if (network.driver === "host")
    throw new EngineError("invalid", "container cannot be disconnected from host network or connected to host network");
  if (open.endpoints.has(containerId))
    throw new EngineError("forbidden", `endpoint with name ${containerId} already exists in network ${network.name}`);
  const wanted = {
    ipv4: request.IPAMConfig?.IPv4Address || undefined,
    ipv6: request.IPAMConfig?.IPv6Address || undefined,
  };
  if (!user && (wanted.ipv4 ?? wanted.ipv6) !== undefined)
    throw new EngineError("invalid", "user specified IP address is supported on user defined networks only");
  if (!user && (request.Aliases ?? []).length > 0)
    throw new EngineError("invalid", "network-scoped alias is supported only for containers in user defined networks");
  const base = { networkId: network.id, networkName: network.name, endpointId: newEndpointId(), request };
  if (open.bridge === "") {
    const nowhere = { ...NO_ADDRESS, ipv6: NO_ADDRESS, macAddress: "", aliases: [], bridge: "" };
    const endpoint = { ...base, ...nowhere, link: "", interfaceName: "" };
    open.endpoints.set(containerId, endpoint);
    return endpoint;
  }
  const macAddress = request.MacAddress || undefined;
  // An odd first byte is a group address (IEEE 802), which no link can have.
  if (macAddress !== undefined && !/^[0-9a-f][02468ace](:[0-9a-f]{2}){5}$/i.test(macAddress))
    throw new EngineError("invalid", `invalid MAC address: ${macAddress}`);
  if (macAddress !== undefined && isMacTaken(open, macAddress))
    throw new EngineError(
      "conflict",
      `MAC address ${macAddress} is already in use on network ${network.name}; choose another`,
    );
  const beyond = linkLocals({ request }).find((local) => !isLinkLocal(local));
  if (beyond !== undefined) throw new EngineError("invalid", `invalid link-local IP address: ${beyond}`);
  const taken = linkLocals({ request }).find((local) => isLocalTaken(open, local));
  if (taken !== undefined) throw new EngineError("forbidden", `Address already in use: ${taken}`);
  const interfaceName =
    request.DriverOpts?.[ENDPOINT_IFNAME] || nextInterface(bridgeOptions(network.options).interfacePrefix, interfaces);
  if (interfaces.includes(interfaceName))
    throw new EngineError("conflict", `the container has an interface ${interfaceName} already; choose another name`);
  const { ipv4, ipv6 } = takeAddresses(open, wanted);
  const endpoint: PlacedEndpoint = {
    ...base,
    ...ipv4,
    ipv6,
    macAddress: macAddress ?? freeMacAddress(open, ipv4.address || ipv6.address),
    aliases: user ? namesOf(request, containerId, hostname) : [],
    bridge: open.bridge,
    link: newLink(),
    interfaceName,
  };
  open.endpoints.set(containerId, endpoint);
  return endpoint;
}

/** Whether an endpoint has the MAC address, a sandbox of the pool, or the bridge itself. */
function isMacTaken(open: OpenNetwork, macAddress: string): boolean {
  const wanted = macAddress.toLowerCase();
  return derivedMacs(open).includes(wanted) || hasMac(open, wanted);
}

function hasMac({ endpoints, network }: OpenNetwork, macAddress: string): boolean {
  if (macAddress === bridgeMacAddress(network)) return true;
  return [...endpoints.values()].some((one) => one.macAddress.toLowerCase() === macAddress);
}

/** Those that the addresses taken lead to: the gateway's, and the pool's sandboxes'. */
function derivedMacs({ book, book6 }: OpenNetwork): readonly string[] {
  return ((book ?? book6)?.taken() ?? []).map(macAddressOf);
}

/** Whether a link-local address is another's: asked for, or derived from a MAC address. */
function isLocalTaken(open: OpenNetwork, address: string): boolean {
  const endpoints = [...open.endpoints.values()];
  const macAddresses = [
    bridgeMacAddress(open.network),
    ...derivedMacs(open),
    ...endpoints.map((one) => one.macAddress),
  ];
  return [...endpoints.flatMap(linkLocals), ...macAddresses.map(linkLocalOf)].includes(address);
}

function nextInterface(prefix: string, taken: readonly string[]): string {
  for (let index = 0; ; index++) if (!taken.includes(`${prefix}${index}`)) return `${prefix}${index}`;
}
