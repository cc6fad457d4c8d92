import { type Cidr, formatCidr, formatIp } from "@berth/port-spec";
import { DEFAULT_NETWORK } from "./network-table.ts";
import type { IpamConfig, Network } from "./networks.ts";

/**
 * The three networks that every host has, as Docker shows them; they have no ids yet.
 *
 * @param bridge the default network's link on the host.
 * @param subnet the default network's subnet; its first address is the gateway.
 */
export function predefinedNetworks({
  bridge,
  subnet,
  subnet6,
  createdAt,
}: {
  readonly bridge: string;
  readonly subnet: Cidr;
  readonly subnet6?: Cidr | undefined;
  readonly createdAt: string;
}): readonly Omit<Network, "id">[] {
  const base = { createdAt, internal: false, attachable: false, enableIPv4: true, enableIPv6: false, labels: {} };
  const ipam = { driver: "default", options: null, config: [] };
  return [
    { ...base, name: "host", driver: "host", options: {}, ipam },
    { ...base, name: "none", driver: "null", options: {}, ipam },
    {
      ...base,
      name: DEFAULT_NETWORK,
      driver: "bridge",
      enableIPv6: subnet6 !== undefined,
      options: {
        "com.docker.network.bridge.default_bridge": "true",
        "com.docker.network.bridge.enable_icc": "true",
        "com.docker.network.bridge.enable_ip_masquerade": "true",
        "com.docker.network.bridge.host_binding_ipv4": "0.0.0.0",
        "com.docker.network.bridge.name": bridge,
        "com.docker.network.driver.mtu": "1500",
      },
      ipam: { ...ipam, config: [subnet, ...(subnet6 === undefined ? [] : [subnet6])].map(firstGateway) },
    },
  ];
}

function firstGateway(subnet: Cidr): IpamConfig {
  return { Subnet: formatCidr(subnet), Gateway: formatIp(subnet.start + 1n) };
}

/**
 * The default network with the IPv6 subnet that the settings want, or without any. A subnet that was drawn stays as it is, because a
 * container's address leads to it.
 *
 * @param draw gives a subnet where any will do; undefined where the settings want no IPv6.
 * @returns undefined where nothing changes.
 */
export async function withIPv6(
  network: Network,
  wanted: "auto" | Cidr | undefined,
  draw: () => Promise<Cidr>,
): Promise<Network | undefined> {
  const ipv4 = network.ipam.config.filter(({ Subnet = "" }) => !Subnet.includes(":"));
  const current = network.ipam.config.find(({ Subnet = "" }) => Subnet.includes(":"))?.Subnet;
  const isRight =
    wanted === undefined
      ? !network.enableIPv6
      : network.enableIPv6 && (wanted === "auto" || formatCidr(wanted) === current);
  if (isRight) return undefined;
  const subnet = wanted === "auto" ? await draw() : wanted;
  const config = [...ipv4, ...(subnet === undefined ? [] : [firstGateway(subnet)])];
  return { ...network, enableIPv6: subnet !== undefined, ipam: { ...network.ipam, config } };
}
