import { randomBytes } from "node:crypto";
import { EngineError } from "../engine/errors.ts";
import type { ContainerId } from "../engine/ids.ts";
import { parseIpv4 } from "./ipv4.ts";
import type { Place } from "./namespace.ts";
import { isUserNetwork, type OpenNetwork } from "./network-table.ts";
import type { EndpointRequest } from "./networks.ts";
import { bridgeOptions } from "./plan-network.ts";
import type { PlacedEndpoint } from "./store.ts";

export function newLink(): string {
  return `veth${randomBytes(4).toString("hex")}`;
}
export function newEndpointId(): string {
  return randomBytes(32).toString("hex");
}

/** As Docker derives it: a local prefix and the IP address, so that an address always has the same MAC address. */
export function macAddressOf(address: string): string {
  return `02:42:${BigInt.asUintN(32, parseIpv4(address) ?? 0n)
    .toString(16)
    .padStart(8, "0")
    .replace(/..(?=.)/g, "$&:")}`;
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
export function isPlain(request: EndpointRequest): boolean {
  return !request.IPAMConfig?.IPv4Address && !request.MacAddress && (request.Aliases ?? []).length === 0;
}

/** The links and addresses of an endpoint on a bridge; has a `gateway` if it gets the default route. */
export function placeOf(open: OpenNetwork, endpoint: PlacedEndpoint, options: { readonly routed: boolean }): Place {
  const { mtu, isolated } = bridgeOptions(open.network.options);
  return {
    bridge: open.bridge,
    link: endpoint.link,
    interfaceName: endpoint.interfaceName,
    address: endpoint.address,
    prefixLength: endpoint.prefixLength,
    macAddress: endpoint.macAddress,
    gateway: options.routed && endpoint.gateway !== "" ? endpoint.gateway : undefined,
    mtu,
    isolated,
    // The name service answers at a loopback address: see `nameRules`.
    settings: isUserNetwork(open) ? { "ipv4.conf.IFNAME.route_localnet": "1" } : {},
  };
}

/** The names of a container on a user network besides its own name (moby `buildEndpointDNSNames`). */
function namesOf({ Aliases }: EndpointRequest, id: ContainerId, hostname: string | undefined): readonly string[] {
  return [...new Set([...(Aliases ?? []), id.slice(0, 12), ...(hostname === undefined ? [] : [hostname])])];
}

/** Allocates an endpoint for a container: an address and link names. Throws Docker's errors and then allocates nothing. */
export function takePlace(
  open: OpenNetwork,
  containerId: ContainerId,
  request: EndpointRequest,
  interfaces: readonly string[],
  hostname?: string,
): PlacedEndpoint {
  const { network, book } = open;
  const user = isUserNetwork(open);
  if (network.driver === "host")
    throw new EngineError("invalid", "container cannot be disconnected from host network or connected to host network");
  if (open.endpoints.has(containerId))
    throw new EngineError("forbidden", `endpoint with name ${containerId} already exists in network ${network.name}`);
  const wanted = request.IPAMConfig?.IPv4Address || undefined;
  if (!user && wanted !== undefined)
    throw new EngineError("invalid", "user specified IP address is supported on user defined networks only");
  if (!user && (request.Aliases ?? []).length > 0)
    throw new EngineError("invalid", "network-scoped alias is supported only for containers in user defined networks");
  const base = { networkId: network.id, networkName: network.name, endpointId: newEndpointId(), request };
  if (book === undefined) {
    const nowhere = { address: "", prefixLength: 0, gateway: "", macAddress: "", aliases: [], bridge: "" };
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
  const address = book.take(wanted);
  const endpoint: PlacedEndpoint = {
    ...base,
    address,
    prefixLength: book.subnet.prefixLength,
    gateway: network.internal ? "" : book.gateway,
    macAddress: macAddress ?? freeMacAddress(open, address),
    aliases: user ? namesOf(request, containerId, hostname) : [],
    bridge: open.bridge,
    link: newLink(),
    interfaceName: nextInterface(bridgeOptions(network.options).interfacePrefix, interfaces),
  };
  open.endpoints.set(containerId, endpoint);
  return endpoint;
}

/** Whether an endpoint has the MAC address, a sandbox of the pool, or the bridge itself. */
function isMacTaken(open: OpenNetwork, macAddress: string): boolean {
  const wanted = macAddress.toLowerCase();
  const derived = [...(open.book?.taken() ?? [])].map(macAddressOf);
  return derived.includes(wanted) || hasMac(open, wanted);
}

function hasMac({ endpoints, network }: OpenNetwork, macAddress: string): boolean {
  if (macAddress === bridgeMacAddress(network.id)) return true;
  return [...endpoints.values()].some((one) => one.macAddress.toLowerCase() === macAddress);
}

/** Of the bridge of a network. */
export function bridgeMacAddress(networkId: string): string {
  return `02:42:${networkId.slice(0, 8).replace(/..(?=.)/g, "$&:")}`;
}

function nextInterface(prefix: string, taken: readonly string[]): string {
  for (let index = 0; ; index++) if (!taken.includes(`${prefix}${index}`)) return `${prefix}${index}`;
}
