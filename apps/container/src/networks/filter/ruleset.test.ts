import { expect, it } from "vitest";
import { runCommand } from "../command.ts";
import type { FilteredNetwork } from "./filtered-network.ts";
import { rulesetCommands } from "./ruleset.ts";
import { ENDPOINT_SETS, PUBLISHED_SETS } from "./tables.ts";

const NETWORK: FilteredNetwork = {
  bridge: "br-a",
  subnets: ["10.1.0.0/24"],
  subnets6: ["fd00:1::/64"],
  internal: false,
  isolated: false,
  masquerade: true,
  separatesOwners: false,
  modes: { ipv4: "nat", ipv6: "nat" },
  addressless: false,
};

function rulesOf(networks: readonly FilteredNetwork[], chain: string, resolvers: readonly string[] = []) {
  const start = `add rule ${chain} `;
  return rulesetCommands("t", networks, resolvers)
    .filter((command) => command.startsWith(start))
    .map((command) => command.slice(start.length));
}

it.each([
  ["none", []],
  [
    "of every kind",
    [
      { ...NETWORK, separatesOwners: true },
      {
        ...NETWORK,
        bridge: "br-b",
        subnets: [],
        subnets6: ["fd00:2::/64"],
        nameService: { address: "fd00:2::1", listensAt: "fd00:2::1", udpPort: 1, tcpPort: 2 },
      },
      { ...NETWORK, bridge: "br-c", subnets6: [], internal: true, isolated: true, masquerade: false },
      { ...NETWORK, bridge: "br-d", modes: { ipv4: "routed", ipv6: "routed" } },
      { ...NETWORK, bridge: "br-e", internal: true, addressless: true, modes: { ipv4: "isolated", ipv6: "isolated" } },
    ],
  ],
] as const satisfies readonly (readonly [string, readonly FilteredNetwork[]])[])(
  "is what the kernel takes, twice: networks %s",
  async (_, networks) => {
    const script = `${rulesetCommands("t", networks, ["192.0.2.53", "2001:db8::53"]).join("\n")}\n`;
    await runCommand("unshare", ["--net", "nft", "-f", "-"], script + script);
  },
);

it("translates and marks in both families alike, each with its own subnets", () => {
  const networks = [
    { ...NETWORK, separatesOwners: true },
    { ...NETWORK, bridge: "br-b", internal: true },
  ];
  const plain = (rule: string) =>
    rule.replaceAll("ip6", "ip").replaceAll("icmpv6", "icmp").replaceAll("fd00:1::/64", "10.1.0.0/24");
  for (const chain of ["postrouting", "published"]) {
    const [ipv4, ipv6] = [rulesOf(networks, `ip t ${chain}`), rulesOf(networks, `ip6 t ${chain}`)];
    // Only the loopback addresses of IPv4 cross a bridge.
    expect(ipv6.map(plain)).toEqual(ipv4.filter((rule) => !rule.includes("127.0.0.0/8")));
  }
});

it.each([
  ["an internal network reaches nothing outside", { internal: true }, 'iifname { "br-a" } drop'],
  [
    "isolated containers reach each other through published ports",
    { isolated: true },
    'iifname "br-a" oifname "br-a" drop',
  ],
  [
    "owners are apart on a network that separates them",
    { separatesOwners: true },
    'iifname "br-a" oifname "br-a" drop',
  ],
])("%s, in both families", (_, changes, rule) => {
  for (const family of ["ip", "ip6"])
    expect(rulesOf([{ ...NETWORK, ...changes }], `${family} t forward`)).toContain(rule);
});

it("leads queries to a name service in the family of its address, and lets guests ask the host's name servers in theirs", () => {
  const named = { ...NETWORK, nameService: { address: "fd00:1::1", listensAt: "fd00:1::1", udpPort: 5, tcpPort: 6 } };
  expect(rulesOf([named], "ip6 t prerouting")).toContain(
    'iifname "br-a" ip6 daddr fd00:1::1 udp dport 53 dnat to [fd00:1::1]:5',
  );
  expect(rulesOf([named], "ip t prerouting").join()).not.toContain("fd00");
  const input = (family: string) => rulesOf([NETWORK], `${family} t input`, ["192.0.2.53", "2001:db8::53"]).join("\n");
  expect(input("ip")).toContain("ip daddr 192.0.2.53 ");
  expect(input("ip")).not.toContain("2001:db8::53");
  expect(input("ip6")).toContain("ip6 daddr 2001:db8::53 ");
  const [query] = rulesOf([NETWORK], "ip t forward", ["169.254.169.254"]).slice(-2);
  expect(query).toMatch(/^ip daddr 169\.254\.169\.254 .* 53 accept$/);
});

it("takes a map for its values alone, since kernels before 6.4 refuse to be asked whether it has a key", () => {
  const maps = [...ENDPOINT_SETS, ...PUBLISHED_SETS].filter(({ isMap }) => isMap).map(({ set }) => `@${set}`);
  const rules = rulesetCommands("t", [{ ...NETWORK, separatesOwners: true }]).filter((one) =>
    one.startsWith("add rule"),
  );
  const asked = rules.flatMap((rule) => [...rule.matchAll(/(map )?(@\w+)/g)]);
  expect(asked.length).toBeGreaterThan(maps.length);
  expect(asked.filter(([, before, set = ""]) => maps.includes(set) !== (before === "map "))).toEqual([]);
});
