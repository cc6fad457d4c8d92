import { type Cidr, formatCidr, formatIp } from "@berth/port-spec";
import { DEFAULT_NETWORK } from "./network-table.ts";
import type { Network } from "./networks.ts";

/**
 * The three networks that every host has, as Docker shows them; they have no ids yet.
 *
 * @param bridge the default network's link on the host.
 * @param subnet the default network's subnet; its first address is the gateway.
 */
export function predefinedNetworks({
  bridge,
  subnet,
  createdAt,
}: {
  readonly bridge: string;
  readonly subnet: Cidr;
  readonly createdAt: string;
}): readonly Omit<Network, "id">[] {
  const base = { createdAt, internal: false, attachable: false, enableIPv6: false, labels: {} };
  const ipam = { driver: "default", options: null, config: [] };
  return [
    { ...base, name: "host", driver: "host", options: {}, ipam },
    { ...base, name: "none", driver: "null", options: {}, ipam },
    {
      ...base,
      name: DEFAULT_NETWORK,
      driver: "bridge",
      options: {
        "com.docker.network.bridge.default_bridge": "true",
        "com.docker.network.bridge.enable_icc": "true",
        "com.docker.network.bridge.enable_ip_masquerade": "true",
        "com.docker.network.bridge.host_binding_ipv4": "0.0.0.0",
        "com.docker.network.bridge.name": bridge,
        "com.docker.network.driver.mtu": "1500",
      },
      ipam: { ...ipam, config: [{ Subnet: formatCidr(subnet), Gateway: formatIp(subnet.start + 1n) }] },
    },
  ];
}
