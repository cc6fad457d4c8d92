import type { IpFamily } from "@berth/port-spec";
import { MACHINE_SERVICES } from "../../engine/host-addresses.ts";
import { bridgeSet, type FilteredNetwork } from "./filtered-network.ts";
import { chain, PUBLISHED_MARK } from "./tables.ts";

/** How one family says what both have. */
interface Dialect {
  readonly family: "ip" | "ip6";
  readonly version: IpFamily;
  readonly icmp: string;
  readonly subnetsOf: (network: FilteredNetwork) => readonly string[];
  readonly isOf: (address: string) => boolean;
  readonly loopback: string;
  /** What a packet to a published port of this host matches beside its address and port. */
  readonly toHost: string;
  /** Whether the kernel routes loopback addresses to bridges (`route_localnet`). */
  readonly routesLoopback: boolean;
  /** Packets that stay on a bridge whatever they hold: only `br_netfilter` shows them to these chains. */
  readonly onLink: readonly string[];
  /** Matches packets that are not from a container whose user may not reach the services of the host. */
  readonly notOfGuest: string;
  /** What a guest may send to the host itself. */
  readonly permitted: string;
  readonly reject: string;
  readonly redirect: string;
}

const IPV4: Dialect = {
  family: "ip",
  version: "ipv4",
  icmp: "icmp",
  subnetsOf: ({ subnets }) => subnets,
  isOf: (address) => !address.includes(":"),
  loopback: "127.0.0.0/8",
  toHost: "fib daddr type local",
  routesLoopback: true,
  onLink: [],
  // A link-local address says nothing of its owner.
  notOfGuest: "ip saddr != @guests ip saddr != 169.254.0.0/16",
  permitted: "icmp type echo-request",
  reject: "reject with icmp type admin-prohibited",
  redirect: "icmp type redirect",
};

const IPV6: Dialect = {
  family: "ip6",
  version: "ipv6",
  icmp: "icmpv6",
  subnetsOf: ({ subnets6 }) => subnets6,
  isOf: (address) => address.includes(":"),
  loopback: "::1",
  // The kernel routes neither loopback nor link-local addresses: what comes for them goes to the held socket.
  toHost: "ip6 daddr != { ::1, fe80::/10 } fib daddr type local",
  routesLoopback: false,
  onLink: ["ip6 saddr fe80::/10", "ip6 daddr { fe80::/10, ff00::/8 }"],
  notOfGuest: "iifname . ip6 saddr != @guests",
  permitted: "icmpv6 type { echo-request, nd-neighbor-solicit, nd-neighbor-advert }",
  reject: "reject with icmpv6 type admin-prohibited",
  redirect: "icmpv6 type nd-redirect",
};

/** The chains of both families: see `rulesetCommands`. */
export function routedChains(
  table: string,
  networks: readonly FilteredNetwork[],
  resolvers: readonly string[],
): readonly string[] {
  return [IPV4, IPV6].flatMap((dialect) => [
    ...natChains(dialect, table, networks),
    ...markingChains(dialect, table, networks),
    ...inputChain(dialect, table, networks, resolvers.filter(dialect.isOf)),
    ...forwardChain(dialect, table, networks, resolvers.filter(dialect.isOf)),
  ]);
}

function natChains(dialect: Dialect, table: string, networks: readonly FilteredNetwork[]): readonly string[] {
  const { family, version, loopback, toHost, subnetsOf, routesLoopback } = dialect;
  const bridges = bridgeSet(networks);
  const some = bridges !== "";
  const published = [
    `${toHost} dnat ${family} to ${family} daddr . meta l4proto . th dport map @addresses`,
    `${toHost} dnat ${family} to meta l4proto . th dport map @ports`,
  ];
  return [
    ...chain(family, table, "loopback", "filter hook prerouting priority raw", [
      ...(some ? [`iifname ${bridges} ${family} daddr ${loopback} drop`] : []),
    ]),
    ...chain(family, table, "prerouting", "nat hook prerouting priority -101", [
      // Another program may have opened loopback to its interfaces; a port published there is still the host's alone.
      `iifname != "lo" ${family} daddr ${loopback} return`,
      ...networks.flatMap((network) => nameServiceRules(dialect, network)),
      ...published,
    ]),
    ...chain(family, table, "output", "nat hook output priority -101", published),
    ...chain(family, table, "postrouting", "nat hook postrouting priority 99", [
      ...(some && routesLoopback ? [`${family} saddr ${loopback} oifname ${bridges} masquerade`] : []),
      ...networks.flatMap((network) =>
        subnetsOf(network).flatMap((subnet) => [
          `${family} saddr ${subnet} oifname "${network.bridge}" ct status dnat masquerade`,
          ...(network.masquerade && !network.internal && network.modes[version] !== "routed"
            ? [`${family} saddr ${subnet} oifname != "${network.bridge}" masquerade`]
            : []),
        ]),
      ),
    ]),
  ];
}

function nameServiceRules({ family, isOf }: Dialect, { bridge, nameService }: FilteredNetwork): readonly string[] {
  if (nameService === undefined || !isOf(nameService.address)) return [];
  const { address, listensAt, udpPort, tcpPort } = nameService;
  const target = family === "ip" ? listensAt : `[${listensAt}]`;
  return [
    `iifname "${bridge}" ${family} daddr ${address} udp dport 53 dnat to ${target}:${udpPort}`,
    `iifname "${bridge}" ${family} daddr ${address} tcp dport 53 dnat to ${target}:${tcpPort}`,
  ];
}

function markingChains(
  { family, version, subnetsOf, redirect }: Dialect,
  table: string,
  networks: readonly FilteredNetwork[],
): readonly string[] {
  const bridges = bridgeSet(networks);
  const silent = version === "ipv4" ? bridgeSet(networks.filter(({ addressless }) => addressless)) : "";
  return [
    ...chain(
      family,
      table,
      "published",
      // The kernel translates at -100, whatever the priority of a nat chain.
      "filter hook prerouting priority -99",
      networks
        .filter(({ separatesOwners, isolated }) => separatesOwners || isolated)
        .flatMap((network) =>
          subnetsOf(network).map(
            (subnet) =>
              `iifname "${network.bridge}" ${family} daddr ${subnet} ct status dnat meta mark set meta mark or ${PUBLISHED_MARK}`,
          ),
        ),
    ),
    ...chain(family, table, "redirects", "filter hook output priority filter", [
      // A container that reaches a neighbour through a published port must go on doing so: the short cut would skip the translation.
      ...(bridges === "" ? [] : [`oifname ${bridges} ${redirect} drop`]),
      // Without an address there, the host has nothing to say but what it is asked: names.
      ...(silent === "" ? [] : [`oifname ${silent} ct direction original drop`]),
    ]),
  ];
}

function inputChain(
  { family, notOfGuest, permitted, reject }: Dialect,
  table: string,
  networks: readonly FilteredNetwork[],
  resolvers: readonly string[],
): readonly string[] {
  const bridges = bridgeSet(networks);
  const rules = [
    `iifname != ${bridges} accept`,
    `${notOfGuest} accept`,
    "ct state established,related accept",
    // The name service, by the rules of `prerouting`.
    "ct status dnat accept",
    `${permitted} accept`,
    ...queriesTo(resolvers, family),
    `iifname ${bridges} ${reject}`,
  ];
  return chain(family, table, "input", "filter hook input priority filter", bridges === "" ? [] : rules);
}

function queriesTo(resolvers: readonly string[], family: string): readonly string[] {
  return resolvers.map((address) => `${family} daddr ${address} meta l4proto { tcp, udp } th dport 53 accept`);
}

function forwardChain(
  dialect: Dialect,
  table: string,
  networks: readonly FilteredNetwork[],
  resolvers: readonly string[],
): readonly string[] {
  const bridges = bridgeSet(networks);
  const some = bridges !== "";
  const internal = bridgeSet(networks.filter((network) => network.internal));
  const open = bridgeSet(networks.filter(({ modes }) => modes[dialect.version] === "nat-unprotected"));
  const routed = bridgeSet(networks.filter(({ modes }) => modes[dialect.version] === "routed"));
  return chain(dialect.family, table, "forward", "filter hook forward priority filter", [
    ...(some ? [`iifname ${bridges} ct state established,related accept`] : []),
    ...(some ? [`oifname ${bridges} ct state established,related accept`] : []),
    ...networks.flatMap((network) => insideRules(dialect, network)),
    ...(internal === "" ? [] : [`iifname ${internal} drop`, `oifname ${internal} drop`]),
    ...(open === "" ? [] : [`iifname != ${bridges} oifname ${open} accept`]),
    ...(routed === "" ? [] : routedRules(dialect, routed)),
    ...(some ? [`oifname ${bridges} ct status dnat accept`, `oifname ${bridges} drop`] : []),
    ...(some ? machineServiceRules(dialect, bridges, resolvers) : []),
  ]);
}

/** Others reach the ports that containers of routed networks publish, and may ping them, as in Docker. */
function routedRules({ family, icmp }: Dialect, bridges: string): readonly string[] {
  return [
    `oifname ${bridges} meta l4proto ${icmp} accept`,
    `oifname ${bridges} ${family} daddr . meta l4proto . th dport @opened accept`,
  ];
}

/** A guest no more reaches what a cloud serves to this machine alone than what the machine serves itself. */
function machineServiceRules(
  { family, isOf, notOfGuest, reject }: Dialect,
  bridges: string,
  resolvers: readonly string[],
): readonly string[] {
  return [
    `iifname != ${bridges} accept`,
    `${family} daddr != { ${MACHINE_SERVICES.filter(isOf).join(", ")} } accept`,
    `${notOfGuest} accept`,
    ...queriesTo(resolvers, family),
    // Said again, for whoever reads the rule alone: another Berth looks for chains that refuse every packet.
    `iifname ${bridges} ${reject}`,
  ];
}

/** What may come from a bridge and go back to it. */
function insideRules({ family, onLink }: Dialect, { bridge, separatesOwners, isolated }: FilteredNetwork) {
  const inside = `iifname "${bridge}" oifname "${bridge}"`;
  if (isolated) return [`${inside} ct status dnat accept`, `${inside} drop`];
  if (!separatesOwners) return [`${inside} accept`];
  return [
    `${inside} ct status dnat accept`,
    ...onLink.map((match) => `${inside} ${match} accept`),
    `${inside} meta mark set ${family} saddr map @address_owners`,
    `${inside} meta mark . ${family} daddr @owned_addresses meta mark set 0 accept`,
    `${inside} drop`,
  ];
}
