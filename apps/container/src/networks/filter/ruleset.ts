import type { Family, SetOfElements } from "./elements.ts";

/** What the packet filter has to know of one bridge network. */
export interface FilteredNetwork {
  readonly bridge: string;
  /** Its IPv4 subnets, in CIDR form. */
  readonly subnets: readonly string[];
  /** No way out of the network, and none in. */
  readonly internal: boolean;
  /** Whether its containers speak to the outside with the host's address. */
  readonly masquerade: boolean;
  /** Whether containers of different owners are apart on it. */
  readonly separatesOwners: boolean;
  /** Where its name service listens: queries to `address`:53 arrive at its ports. */
  readonly nameService?: { readonly address: string; readonly udpPort: number; readonly tcpPort: number };
}

interface TypedSet extends SetOfElements {
  readonly type: string;
}

/** The published ports: `ports` is for the wildcard address, `addresses` for a particular one. */
export const PUBLISHED_SETS: readonly TypedSet[] = [
  { family: "ip", set: "ports", isMap: true, type: "inet_proto . inet_service : ipv4_addr . inet_service" },
  {
    family: "ip",
    set: "addresses",
    isMap: true,
    type: "ipv4_addr . inet_proto . inet_service : ipv4_addr . inet_service",
  },
];

/** What is known of containers' places: see {@link rulesetCommands}. */
export const ENDPOINT_SETS: readonly TypedSet[] = [
  { family: "bridge", set: "links", isMap: false, type: "ifname" },
  { family: "bridge", set: "sources", isMap: false, type: "ifname . ether_addr . ipv4_addr" },
  { family: "bridge", set: "link_owners", isMap: true, type: "ifname : mark" },
  { family: "bridge", set: "owned_links", isMap: false, type: "mark . ifname" },
  { family: "ip", set: "address_owners", isMap: true, type: "ipv4_addr : mark" },
  { family: "ip", set: "owned_addresses", isMap: false, type: "mark . ipv4_addr" },
  { family: "ip", set: "guests", isMap: false, type: "ipv4_addr" },
];

/** The instance's tables and their sets; all idempotent. Every set is a hash: one look-up whatever its size. */
export function tableCommands(table: string): readonly string[] {
  return [
    ...FAMILIES.map((family) => `add table ${family} ${table}`),
    ...[...PUBLISHED_SETS, ...ENDPOINT_SETS].map(
      ({ family, set, isMap, type }) => `add ${isMap ? "map" : "set"} ${family} ${table} ${set} { type ${type}; }`,
    ),
  ];
}

/** Removes the instance's tables, with all that is in them; no error where there are none. */
export function dropTableCommands(table: string): readonly string[] {
  return FAMILIES.flatMap((family) => [`add table ${family} ${table}`, `delete table ${family} ${table}`]);
}

const FAMILIES = ["ip", "bridge"] as const;

/**
 * The mark of a packet that a published port leads to its container. Where the host filters bridged packets as routed ones
 * (br_netfilter), it crosses the bridge directly, and the bridge's rules know nothing of its connection. A mark does not leave a
 * namespace, so no container can set it.
 */
const PUBLISHED_MARK = "0x00b00000";

/**
 * The commands that make the tables' chains exactly those for `networks`, in one transaction; elements of sets stay as they are.
 *
 * - `source` (bridge): a container sends from its own hardware and IP address alone, in ARP too; nothing but IPv4 and ARP.
 * - `between` (bridge): frames between containers of one owner, where the network separates owners. Owners are numbers, compared
 *   through the packet's mark, which goes back to 0.
 * - `loopback`: the bridges route 127/8 (published ports on the host's loopback need it), so nothing from a container may use that.
 * - `prerouting`, `output`: the way from a host port to its container, for others and for the host itself.
 * - `postrouting`: answers find back: from loopback, from a container to a port of its own network, and from a container to the outside.
 * - `forward`: into a bridge goes what is published, what belongs to a connection, and what comes from that bridge, of the same
 *   owner where the network separates owners.
 * - `input`: a guest reaches its name service and the host's name servers, and no other service of the host.
 *
 * @param resolvers the addresses of the host's name servers.
 */
export function rulesetCommands(
  table: string,
  networks: readonly FilteredNetwork[],
  resolvers: readonly string[] = [],
): readonly string[] {
  return [
    ...tableCommands(table),
    ...bridgeChains(table),
    ...natChains(table, networks),
    ...filterChains(table, networks, resolvers),
  ];
}

function chain(family: Family, table: string, name: string, hook: string, rules: readonly string[]): readonly string[] {
  return [
    `add chain ${family} ${table} ${name} { type ${hook}; policy accept; }`,
    `flush chain ${family} ${table} ${name}`,
    ...rules.map((rule) => `add rule ${family} ${table} ${name} ${rule}`),
  ];
}

function bridgeChains(table: string): readonly string[] {
  return [
    // Before br_netfilter, which takes a packet through the chains of routed ones from here.
    ...chain("bridge", table, "source", "filter hook prerouting priority -301", [
      "iifname != @links accept",
      "iifname . ether saddr . ip saddr @sources accept",
      "iifname . ether saddr . arp saddr ip @sources iifname . arp saddr ether . arp saddr ip @sources accept",
      "drop",
    ]),
    ...chain("bridge", table, "between", "filter hook forward priority 0", [
      "iifname != @link_owners accept",
      "oifname != @link_owners accept",
      `meta mark and ${PUBLISHED_MARK} == ${PUBLISHED_MARK} accept`,
      "meta mark set iifname map @link_owners",
      "meta mark . oifname @owned_links meta mark set 0 accept",
      "drop",
    ]),
  ];
}

function natChains(table: string, networks: readonly FilteredNetwork[]): readonly string[] {
  const bridges = set(networks.map(({ bridge }) => bridge));
  const published = [
    "fib daddr type local dnat ip to ip daddr . meta l4proto . th dport map @addresses",
    "fib daddr type local dnat ip to meta l4proto . th dport map @ports",
  ];
  return [
    ...chain("ip", table, "loopback", "filter hook prerouting priority raw", [
      ...(bridges === "" ? [] : [`iifname ${bridges} ip daddr 127.0.0.0/8 drop`]),
    ]),
    ...chain("ip", table, "prerouting", "nat hook prerouting priority -101", [
      // Another program may have opened loopback to its interfaces; a port published there is still the host's alone.
      'iifname != "lo" ip daddr 127.0.0.0/8 return',
      ...networks.flatMap(nameServiceRules),
      ...published,
    ]),
    ...chain("ip", table, "output", "nat hook output priority -101", published),
    ...chain("ip", table, "postrouting", "nat hook postrouting priority 99", [
      ...(bridges === "" ? [] : [`ip saddr 127.0.0.0/8 oifname ${bridges} masquerade`]),
      ...networks.flatMap(({ bridge, subnets, internal, masquerade }) =>
        subnets.flatMap((subnet) => [
          `ip saddr ${subnet} oifname "${bridge}" ct status dnat masquerade`,
          ...(masquerade && !internal ? [`ip saddr ${subnet} oifname != "${bridge}" masquerade`] : []),
        ]),
      ),
    ]),
  ];
}

function filterChains(
  table: string,
  networks: readonly FilteredNetwork[],
  resolvers: readonly string[],
): readonly string[] {
  const bridges = set(networks.map(({ bridge }) => bridge));
  const some = bridges !== "";
  const internal = set(networks.filter((network) => network.internal).map(({ bridge }) => bridge));
  const separating = networks.filter(({ separatesOwners }) => separatesOwners);
  return [
    ...chain(
      "ip",
      table,
      "published",
      // The kernel translates at -100, whatever the priority of a nat chain.
      "filter hook prerouting priority -99",
      separating.flatMap(({ bridge, subnets }) =>
        subnets.map(
          (subnet) =>
            `iifname "${bridge}" ip daddr ${subnet} ct status dnat meta mark set meta mark or ${PUBLISHED_MARK}`,
        ),
      ),
    ),
    ...chain("ip", table, "input", "filter hook input priority filter", [
      ...(some ? [`iifname != ${bridges} accept`] : []),
      "ip saddr != @guests accept",
      "ct state established,related accept",
      // The name service, by the rules of `prerouting`.
      "ct status dnat accept",
      "icmp type echo-request accept",
      ...resolvers.map((address) => `ip daddr ${address} meta l4proto { tcp, udp } th dport 53 accept`),
      "reject with icmp type admin-prohibited",
    ]),
    ...chain("ip", table, "redirects", "filter hook output priority filter", [
      // A container that reaches a neighbour through a published port must go on doing so: the short cut would skip the translation.
      ...(some ? [`oifname ${bridges} icmp type redirect drop`] : []),
    ]),
    ...chain("ip", table, "forward", "filter hook forward priority filter", [
      ...(some ? [`iifname ${bridges} ct state established,related accept`] : []),
      ...(some ? [`oifname ${bridges} ct state established,related accept`] : []),
      ...networks.flatMap(({ bridge, separatesOwners }) => {
        const inside = `iifname "${bridge}" oifname "${bridge}"`;
        return separatesOwners
          ? [
              `${inside} ct status dnat accept`,
              `${inside} meta mark set ip saddr map @address_owners`,
              `${inside} meta mark . ip daddr @owned_addresses meta mark set 0 accept`,
              `${inside} drop`,
            ]
          : [`${inside} accept`];
      }),
      ...(internal === "" ? [] : [`iifname ${internal} drop`, `oifname ${internal} drop`]),
      ...(some ? [`oifname ${bridges} ct status dnat accept`, `oifname ${bridges} drop`] : []),
    ]),
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
