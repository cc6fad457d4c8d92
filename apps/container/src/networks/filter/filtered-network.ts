import type { IpFamily } from "@berth/port-spec";
import type { GatewayMode } from "../bridge-options.ts";

/** What the packet filter has to know of one bridge network. */
export interface FilteredNetwork {
  readonly bridge: string;
  /** Its IPv4 subnets, in CIDR form. */
  readonly subnets: readonly string[];
  /** Its IPv6 subnets. */
  readonly subnets6: readonly string[];
  /** No way out of the network, and none in. */
  readonly internal: boolean;
  /** Whether its containers reach each other through published ports alone (`enable_icc=false`). */
  readonly isolated: boolean;
  /** Whether its containers speak to the outside with the host's address. */
  readonly masquerade: boolean;
  /** How its containers are reached, by family. */
  readonly modes: Readonly<Record<IpFamily, GatewayMode>>;
  /** Whether the bridge has no IPv4 address, so that the host itself reaches nobody on it. */
  readonly addressless: boolean;
  /** Whether containers of different owners are apart on it. */
  readonly separatesOwners: boolean;
  /** Its name service: queries to `address`:53 arrive at the ports of `listensAt`. */
  readonly nameService?: {
    readonly address: string;
    readonly listensAt: string;
    readonly udpPort: number;
    readonly tcpPort: number;
  };
}

/** The bridges of networks as an nft set; empty where there are none. */
export function bridgeSet(networks: readonly FilteredNetwork[]): string {
  return networks.length === 0 ? "" : `{ ${networks.map(({ bridge }) => `"${bridge}"`).join(", ")} }`;
}
