import type { FilteredNetwork } from "./filtered-network.ts";
import { routedChains } from "./routed-chains.ts";
import { chain, ND_TARGET, PUBLISHED_MARK, tableCommands } from "./tables.ts";

/**
 * The commands that make the tables' chains exactly those for `networks`, in one transaction; elements of sets stay as they are. The
 * routed ones are there for IPv4 and for IPv6.
 *
 * - `source` (bridge): a container sends from its own hardware and IP addresses alone, and announces no others, in ARP or as a neighbour of
 *   IPv6; nothing but IP and ARP, and nothing that routers say.
 * - `between` (bridge): no frames between containers of an isolated network, and those between containers of one owner where the network
 *   separates owners. Owners are numbers, compared through the packet's mark, which goes back to 0.
 * - `loopback`: the bridges route 127/8 (published ports on the host's loopback need it), so nothing from a container may use that.
 * - `prerouting`, `output`: the way from a host port to its container, for others and for the host itself.
 * - `postrouting`: answers find back: from loopback, from a container to a port of its own network, and from a container to the outside.
 * - `forward`: into a bridge goes what is published, what belongs to a connection, and what comes from that bridge, of the same
 *   owner where the network separates owners. Out of a bridge, a guest reaches no services that a cloud has for this machine alone.
 * - `input`: a guest reaches its name service and the host's name servers, and no other service of the host.
 *
 * @param resolvers the addresses of the host's name servers.
 */
export function rulesetCommands(
  table: string,
  networks: readonly FilteredNetwork[],
  resolvers: readonly string[] = [],
): readonly string[] {
  return [...tableCommands(table), ...bridgeChains(table), ...routedChains(table, networks, resolvers)];
}

function bridgeChains(table: string): readonly string[] {
  return [
    // Before br_netfilter, which takes a packet through the chains of routed ones from here.
    ...chain("bridge", table, "source", "filter hook prerouting priority -301", [
      "iifname != @links accept",
      "iifname . ether saddr . ip saddr @sources accept",
      "iifname . ether saddr . arp saddr ip @sources iifname . arp saddr ether . arp saddr ip @sources accept",
      "icmpv6 type { nd-router-advert, nd-redirect } drop",
      `icmpv6 type nd-neighbor-advert iifname . ether saddr . ${ND_TARGET} != @targets6 drop`,
      "iifname . ether saddr . ip6 saddr @sources6 accept",
      "drop",
    ]),
    ...chain("bridge", table, "between", "filter hook forward priority 0", [
      `meta mark and ${PUBLISHED_MARK} == ${PUBLISHED_MARK} accept`,
      "iifname @isolated_links drop",
      // Kernels before 6.4 look a key up in a map for its value alone, not for whether it is there.
      "iifname != @separated_links accept",
      "oifname != @separated_links accept",
      "meta mark set iifname map @link_owners",
      "meta mark . oifname @owned_links meta mark set 0 accept",
      "drop",
    ]),
  ];
}
