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
  /** The families in which others than its containers reach every port of them. */
  readonly unprotected?: readonly ("ip" | "ip6")[];
  /** Whether containers of different owners are apart on it. */
  readonly separatesOwners: boolean;
  /** Where its name service listens: queries to `address`:53 arrive at its ports. */
  readonly nameService?: { readonly address: string; readonly udpPort: number; readonly tcpPort: number };
}

/** The bridges of networks as an nft set; empty where there are none. */
export function bridgeSet(networks: readonly FilteredNetwork[]): string {
  return networks.length === 0 ? "" : `{ ${networks.map(({ bridge }) => `"${bridge}"`).join(", ")} }`;
}
