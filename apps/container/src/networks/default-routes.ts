import type { Endpoint, Network } from "./networks.ts";

/** What decides which network has the default routes. */
interface Candidate {
  readonly name: string;
  readonly priority: number;
  /** How many default routes it offers: of IPv4, of IPv6, or both. */
  readonly gateways: number;
}

function compare(a: Candidate, b: Candidate): number {
  return b.priority - a.priority || b.gateways - a.gateways || (a.name < b.name ? -1 : Number(a.name > b.name));
}

/** An endpoint's gateways: none on an internal network. */
export function gatewaysOf({ gateway, ipv6 }: Pick<Endpoint, "gateway" | "ipv6">): readonly string[] {
  return [gateway, ipv6.gateway].filter((address) => address !== "");
}

/** The endpoints that have a container's default routes, for each family. */
export interface DefaultRoutes<E> {
  readonly ipv4: E | undefined;
  readonly ipv6: E | undefined;
}

/**
 * The endpoints with the default routes: those with the highest `GwPriority`, then with most gateways, then the first by the network's
 * name (moby `Endpoint.Less`, `getGatewayEndpoint`).
 */
export function defaultRoutes<E extends Endpoint>(endpoints: readonly E[]): DefaultRoutes<E> {
  const candidateOf = (endpoint: E): Candidate => ({
    name: endpoint.networkName,
    priority: endpoint.request.GwPriority ?? 0,
    gateways: gatewaysOf(endpoint).length,
  });
  const sorted = [...endpoints].sort((a, b) => compare(candidateOf(a), candidateOf(b)));
  return {
    ipv4: sorted.find(({ gateway }) => gateway !== ""),
    ipv6: sorted.find(({ ipv6 }) => ipv6.gateway !== ""),
  };
}

/** The default routes that an endpoint has among those of its container. */
export function routesVia<E extends Endpoint>({ ipv4, ipv6 }: DefaultRoutes<E>, endpoint: E): readonly string[] {
  return [...(ipv4 === endpoint ? [endpoint.gateway] : []), ...(ipv6 === endpoint ? [endpoint.ipv6.gateway] : [])];
}

/** The networks that will have the default routes once a container is on all of these; undefined where all are internal. */
export function gatewayNetworks(
  joined: readonly { readonly network: Network; readonly priority: number }[],
): DefaultRoutes<Network> {
  const candidateOf = ({ network, priority }: (typeof joined)[number]): Candidate => ({
    name: network.name,
    priority,
    gateways: Number(network.enableIPv4) + Number(network.enableIPv6),
  });
  const sorted = joined
    .filter(({ network }) => !network.internal)
    .sort((a, b) => compare(candidateOf(a), candidateOf(b)))
    .map(({ network }) => network);
  return { ipv4: sorted.find(({ enableIPv4 }) => enableIPv4), ipv6: sorted.find(({ enableIPv6 }) => enableIPv6) };
}
