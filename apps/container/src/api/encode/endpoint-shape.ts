import { networkName } from "../../engine/network-mode.ts";
import type { Endpoint } from "../../networks/networks.ts";

/** `EndpointSettings` of `NetworkSettings.Networks`. */
export function endpointShape(endpoint: Endpoint) {
  return {
    IPAMConfig: endpoint.request.IPAMConfig ?? null,
    Links: endpoint.request.Links ?? null,
    Aliases: endpoint.aliases.length === 0 ? null : endpoint.aliases,
    NetworkID: endpoint.networkId,
    EndpointID: endpoint.endpointId,
    Gateway: endpoint.gateway,
    IPAddress: endpoint.address,
    IPPrefixLen: endpoint.prefixLength,
    IPv6Gateway: "",
    GlobalIPv6Address: "",
    GlobalIPv6PrefixLen: 0,
    MacAddress: endpoint.macAddress === "" ? (endpoint.request.MacAddress ?? "") : endpoint.macAddress,
    DriverOpts: endpoint.request.DriverOpts ?? null,
  };
}

function unjoined(networkName: string): Endpoint {
  return {
    networkId: "",
    networkName,
    endpointId: "",
    address: "",
    prefixLength: 0,
    gateway: "",
    macAddress: "",
    aliases: [],
    request: {},
    bridge: "",
  };
}

/** The endpoints to show: the current ones, or the one that the network mode names; none if another container's network is shared. */
export function shownEndpoints(
  endpoints: Readonly<Record<string, Endpoint>>,
  networkMode: string,
): Readonly<Record<string, Endpoint>> {
  const name = networkName(networkMode);
  if (Object.keys(endpoints).length > 0 || name === undefined) return endpoints;
  return { [name]: unjoined(name) };
}

/** `NetworkSettings.Networks`. */
export function networksShape(endpoints: Readonly<Record<string, Endpoint>>, networkMode: string) {
  return Object.fromEntries(
    Object.entries(shownEndpoints(endpoints, networkMode)).map(([name, endpoint]) => [name, endpointShape(endpoint)]),
  );
}
