import type { ContainerView } from "../../containers/containers.ts";
import { networkName } from "../../engine/network-mode.ts";
import { type Endpoint, NO_ADDRESS } from "../../networks/networks.ts";
import { type ApiVersion, SINCE } from "../versions/changes.ts";

/** The container that an endpoint belongs to, as its names need it. */
interface Owner {
  readonly id: string;
  readonly name: string;
  readonly config: { readonly Hostname: string };
}

function isUserDefined(networkName: string): boolean {
  return !["bridge", "host", "none"].includes(networkName);
}

function orNull<T>(list: readonly T[]): readonly T[] | null {
  return list.length === 0 ? null : [...new Set(list)];
}

/** Before API 1.45 inspect adds the id and the host name to the aliases of a user network. */
function aliasesOf({ request, networkName }: Endpoint, { id, config }: Owner, version: ApiVersion) {
  const asked = request.Aliases ?? [];
  const added = version < SINCE.aliasesAsAsked && isUserDefined(networkName) ? [id.slice(0, 12), config.Hostname] : [];
  return orNull([...asked, ...added]);
}

/** What the container answers to on a user network (moby `buildEndpointDNSNames`). */
function dnsNamesOf({ request, networkName }: Endpoint, { id, name, config }: Owner) {
  return isUserDefined(networkName)
    ? orNull([name, ...(request.Aliases ?? []), id.slice(0, 12), config.Hostname])
    : null;
}

/** `EndpointSettings` of `NetworkSettings.Networks`. */
function endpointShape(endpoint: Endpoint, container: Owner, version: ApiVersion) {
  return {
    IPAMConfig: endpoint.request.IPAMConfig ?? null,
    Links: endpoint.request.Links ?? null,
    Aliases: aliasesOf(endpoint, container, version),
    GwPriority: endpoint.request.GwPriority ?? 0,
    DNSNames: dnsNamesOf(endpoint, container),
    NetworkID: endpoint.networkId,
    EndpointID: endpoint.endpointId,
    Gateway: endpoint.gateway,
    IPAddress: endpoint.address,
    IPPrefixLen: endpoint.prefixLength,
    IPv6Gateway: endpoint.ipv6.gateway,
    GlobalIPv6Address: endpoint.ipv6.address,
    GlobalIPv6PrefixLen: endpoint.ipv6.prefixLength,
    MacAddress: endpoint.macAddress === "" ? (endpoint.request.MacAddress ?? "") : endpoint.macAddress,
    DriverOpts: endpoint.request.DriverOpts ?? null,
  };
}

function unjoined(networkName: string): Endpoint {
  return {
    networkId: "",
    networkName,
    endpointId: "",
    ...NO_ADDRESS,
    ipv6: NO_ADDRESS,
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
export function networksShape(
  { container, endpoints }: Pick<ContainerView, "container" | "endpoints">,
  version: ApiVersion,
) {
  const shown = shownEndpoints(endpoints, container.hostConfig.NetworkMode);
  return Object.fromEntries(
    Object.entries(shown).map(([name, endpoint]) => [name, endpointShape(endpoint, container, version)]),
  );
}
