/** What the packet filter has to know of one bridge network. */
export interface FilteredNetwork {
  readonly bridge: string;
  /** Its IPv4 subnets, in CIDR form. */
  readonly subnets: readonly string[];
  /** No way out of the network, and none in. */
  readonly internal: boolean;
  /** Whether its containers speak to the outside with the host's address. */
  readonly masquerade: boolean;
  /** Where its name service listens: queries to `address`:53 arrive at its ports. */
  readonly nameService?: { readonly address: string; readonly udpPort: number; readonly tcpPort: number };
}

/**
 * The instance's table and the two maps that hold the published ports; all idempotent.
 * `ports` is for the wildcard address, `addresses` for a particular one. Both are hashes: one look-up whatever their size.
 */
export function tableCommands(table: string): readonly string[] {
  return [
    `add table ip ${table}`,
    `add map ip ${table} ports { type inet_proto . inet_service : ipv4_addr . inet_service; }`,
    `add map ip ${table} addresses { type ipv4_addr . inet_proto . inet_service : ipv4_addr . inet_service; }`,
  ];
}

/**
 * The commands that make the table's chains exactly those for `networks`, in one transaction; published ports stay as they are.
 *
 * - `loopback`: the bridges route 127/8 (published ports on the host's loopback need it), so nothing from a container may use that.
 * - `prerouting`, `output`: the way from a host port to its container, for others and for the host itself.
 * - `postrouting`: answers find back: from loopback, from a container to a port of its own network, and from a container to the outside.
 * - `forward`: into a bridge goes what is published, what belongs to a connection, and what comes from that bridge.
 */
export function rulesetCommands(table: string, networks: readonly FilteredNetwork[]): readonly string[] {
  const chain = (name: string, hook: string, ...rules: readonly string[]): readonly string[] => [
    `add chain ip ${table} ${name} ${hook}`,
    `flush chain ip ${table} ${name}`,
    ...rules.map((rule) => `add rule ip ${table} ${name} ${rule}`),
  ];
  const bridges = set(networks.map(({ bridge }) => bridge));
  const internal = set(networks.filter((network) => network.internal).map(({ bridge }) => bridge));
  const published = [
    "fib daddr type local dnat ip to ip daddr . meta l4proto . th dport map @addresses",
    "fib daddr type local dnat ip to meta l4proto . th dport map @ports",
  ];
  const some = networks.length > 0;
  return [
    ...tableCommands(table),
    ...chain(
      "loopback",
      "{ type filter hook prerouting priority raw; policy accept; }",
      ...(some ? [`iifname ${bridges} ip daddr 127.0.0.0/8 drop`] : []),
    ),
    ...chain(
      "prerouting",
      "{ type nat hook prerouting priority -101; policy accept; }",
      // Another program may have opened loopback to its interfaces; a port published there is still the host's alone.
      'iifname != "lo" ip daddr 127.0.0.0/8 return',
      ...networks.flatMap(nameServiceRules),
      ...published,
    ),
    ...chain("output", "{ type nat hook output priority -101; policy accept; }", ...published),
    ...chain(
      "postrouting",
      "{ type nat hook postrouting priority 99; policy accept; }",
      ...(some ? [`ip saddr 127.0.0.0/8 oifname ${bridges} masquerade`] : []),
      ...networks.flatMap(({ bridge, subnets, internal, masquerade }) =>
        subnets.flatMap((subnet) => [
          `ip saddr ${subnet} oifname "${bridge}" ct status dnat masquerade`,
          ...(masquerade && !internal ? [`ip saddr ${subnet} oifname != "${bridge}" masquerade`] : []),
        ]),
      ),
    ),
    ...chain(
      "redirects",
      "{ type filter hook output priority filter; policy accept; }",
      // A container that reaches a neighbour through a published port must go on doing so: the short cut would skip the translation.
      ...(some ? [`oifname ${bridges} icmp type redirect drop`] : []),
    ),
    ...chain(
      "forward",
      "{ type filter hook forward priority filter; policy accept; }",
      ...(some ? [`iifname ${bridges} ct state established,related accept`] : []),
      ...(some ? [`oifname ${bridges} ct state established,related accept`] : []),
      ...networks.map(({ bridge }) => `iifname "${bridge}" oifname "${bridge}" accept`),
      ...(internal === "" ? [] : [`iifname ${internal} drop`, `oifname ${internal} drop`]),
      ...(some ? [`oifname ${bridges} ct status dnat accept`, `oifname ${bridges} drop`] : []),
    ),
  ];
}

function nameServiceRules({ bridge, nameService }: FilteredNetwork): readonly string[] {
  if (nameService === undefined) return [];
  const { address, udpPort, tcpPort } = nameService;
  return [
    `iifname "${bridge}" ip daddr ${address} udp dport 53 dnat to ${address}:${udpPort}`,
    `iifname "${bridge}" ip daddr ${address} tcp dport 53 dnat to ${address}:${tcpPort}`,
  ];
}

function set(bridges: readonly string[]): string {
  return bridges.length === 0 ? "" : `{ ${bridges.map((bridge) => `"${bridge}"`).join(", ")} }`;
}
