import { type IpFamily, ipFamily, type PortWish } from "@berth/port-spec";
import { bridgeOptions } from "../../networks/bridge-options.ts";
import { type DefaultRoutes, defaultRoutes, gatewayNetworks } from "../../networks/default-routes.ts";
import type { Network, Networks, Sandbox } from "../../networks/networks.ts";
import type { OpenedPort, PortTarget } from "../../ports/ports.ts";
import type { Container } from "../records/container.ts";
import { recordedNetworks } from "../records/joined-networks.ts";

interface NetworkLookup {
  readonly networks: Pick<Networks, "recorded" | "sandboxOf">;
}

const FAMILIES = ["ipv4", "ipv6"] as const satisfies readonly IpFamily[];

/** The families in which the networks with the default routes are in gateway mode `routed`. */
function routedFamilies(gateways: DefaultRoutes<Network>): readonly IpFamily[] {
  return FAMILIES.filter((family) => {
    const options = gateways[family]?.options;
    return options !== undefined && bridgeOptions(options).modes[family] === "routed";
  });
}

/** Where the container's published ports lead: to the addresses with the default routes. Undefined where every network is internal. */
export function portTarget(
  { networks }: NetworkLookup,
  { ports }: Pick<Container, "ports">,
  { endpoints }: Sandbox,
): PortTarget | undefined {
  const { ipv4, ipv6 } = defaultRoutes(endpoints);
  if ((ipv4 ?? ipv6) === undefined) return undefined;
  const networkOf = (id: string | undefined) => (id === undefined ? undefined : networks.recorded(id, undefined));
  const routed = routedFamilies({ ipv4: networkOf(ipv4?.networkId), ipv6: networkOf(ipv6?.networkId) });
  const addresses = { ipv4: ipv4?.address, ipv6: ipv6?.ipv6.address };
  const opened = routed.flatMap((family) => openedPorts(addresses[family], family, ports.wishes));
  return { ...addresses, ...(routed.length > 0 && { routed, opened }) };
}

/** The ports that a container publishes in a family, once each, whatever ports of the host they ask for. */
function openedPorts(
  address: string | undefined,
  family: IpFamily,
  wishes: readonly PortWish[],
): readonly OpenedPort[] {
  const wanted = wishes.filter(({ hostIp }) => hostIp === "" || ipFamily(hostIp) === family);
  const ports = new Map(
    wanted.map(({ containerPort, protocol }) => [`${containerPort}/${protocol}`, { containerPort, protocol }]),
  );
  return address === undefined ? [] : [...ports.values()].map((port) => ({ address, ...port }));
}

/** What the networks that will have the container's default routes make of its wishes for ports of the host. */
export function hostPorts(
  context: NetworkLookup,
  container: Pick<Container, "endpoints" | "owner">,
  wishes: readonly PortWish[],
): { readonly wishes: readonly PortWish[]; readonly routed: readonly IpFamily[] } {
  const gateways = gatewayNetworks(
    [...recordedNetworks(context, container)].map(([key, network]) => ({
      network,
      priority: container.endpoints[key]?.GwPriority ?? 0,
    })),
  );
  const options = (gateways.ipv4 ?? gateways.ipv6)?.options;
  const address = options && bridgeOptions(options).hostBinding;
  return { wishes: boundBy(address, wishes), routed: routedFamilies(gateways) };
}

/** The wishes with the address that the option `host_binding_ipv4` gives to those without one. */
function boundBy(address: string | undefined, wishes: readonly PortWish[]): readonly PortWish[] {
  return address === undefined
    ? wishes
    : wishes.map((wish) => (wish.hostIp === "" ? { ...wish, hostIp: address } : wish));
}
