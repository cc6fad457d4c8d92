import type { Family, SetOfElements } from "./element.ts";

/** The published ports: `ports` is for the wildcard address, `addresses` for a particular one. */
export const PUBLISHED_SETS: readonly SetOfElements[] = (["ip", "ip6"] as const).flatMap((family) => {
  const address = family === "ip" ? "ipv4_addr" : "ipv6_addr";
  const [port, target] = ["inet_proto . inet_service", `${address} . inet_service`];
  return [
    { family, set: "ports", isMap: true, of: `type ${port} : ${target}` },
    // Ports of containers, at their own addresses.
    { family, set: "opened", isMap: false, of: `type ${address} . ${port}` },
    { family, set: "addresses", isMap: true, of: `type ${address} . ${port} : ${target}` },
  ];
});

/** The target of a neighbour solicitation or advertisement (RFC 4861, 4.3), which nft has no name for. */
export const ND_TARGET = "@th,64,128";

/** What is known of containers' places: see `rulesetCommands`. */
export const ENDPOINT_SETS: readonly SetOfElements[] = [
  { family: "bridge", set: "links", isMap: false, of: "type ifname" },
  { family: "bridge", set: "sources", isMap: false, of: "type ifname . ether_addr . ipv4_addr" },
  { family: "bridge", set: "sources6", isMap: false, of: "type ifname . ether_addr . ipv6_addr" },
  { family: "bridge", set: "targets6", isMap: false, of: `typeof iifname . ether saddr . ${ND_TARGET}` },
  { family: "bridge", set: "isolated_links", isMap: false, of: "type ifname" },
  { family: "bridge", set: "separated_links", isMap: false, of: "type ifname" },
  { family: "bridge", set: "link_owners", isMap: true, of: "type ifname : mark" },
  { family: "bridge", set: "owned_links", isMap: false, of: "type mark . ifname" },
  { family: "ip", set: "address_owners", isMap: true, of: "type ipv4_addr : mark" },
  { family: "ip", set: "owned_addresses", isMap: false, of: "type mark . ipv4_addr" },
  { family: "ip", set: "guests", isMap: false, of: "type ipv4_addr" },
  { family: "ip6", set: "address_owners", isMap: true, of: "type ipv6_addr : mark" },
  { family: "ip6", set: "owned_addresses", isMap: false, of: "type mark . ipv6_addr" },
  // Link-local addresses are each bridge's own.
  { family: "ip6", set: "guests", isMap: false, of: "type ifname . ipv6_addr" },
];

const FAMILIES: readonly Family[] = ["ip", "ip6", "bridge"];

/** The instance's tables and their sets; all idempotent. Every set is a hash: one look-up whatever its size. */
export function tableCommands(table: string): readonly string[] {
  return [
    ...FAMILIES.map((family) => `add table ${family} ${table}`),
    ...[...PUBLISHED_SETS, ...ENDPOINT_SETS].map(
      ({ family, set, isMap, of }) => `add ${isMap ? "map" : "set"} ${family} ${table} ${set} { ${of}; }`,
    ),
  ];
}

/** Removes the instance's tables, with all that is in them; no error where there are none. */
export function dropTableCommands(table: string): readonly string[] {
  return FAMILIES.flatMap((family) => [`add table ${family} ${table}`, `delete table ${family} ${table}`]);
}

/** Commands that make a base chain exactly these rules. */
export function chain(
  family: Family,
  table: string,
  name: string,
  hook: string,
  rules: readonly string[],
): readonly string[] {
  return [
    `add chain ${family} ${table} ${name} { type ${hook}; policy accept; }`,
    `flush chain ${family} ${table} ${name}`,
    ...rules.map((rule) => `add rule ${family} ${table} ${name} ${rule}`),
  ];
}

/**
 * The mark of a packet that a published port leads to its container. Where the host filters bridged packets as routed ones
 * (br_netfilter), it crosses the bridge directly, and the bridge's rules know nothing of its connection. A mark does not leave a
 * namespace, so no container can set it.
 */
export const PUBLISHED_MARK = "0x00b00000";
