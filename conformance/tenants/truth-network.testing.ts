import { execFileSync } from "node:child_process";
import { BlockList } from "node:net";
import type { BerthWithDirectory } from "../berth.testing.ts";

/** What a user's networks and published ports may be. */
export interface NetworkLimits {
  /** Where it may have networks: what its constraints permit, and the pools that networks without a subnet get. */
  readonly subnets: readonly string[];
  readonly networks: number;
  /** The subnet of somebody else's network that it may not join. */
  readonly foreign: string;
}

interface Link {
  readonly ifname: string;
  readonly ifalias?: string;
  readonly addr_info: readonly { readonly family: string; readonly local: string; readonly prefixlen: number }[];
}

function addresses(...before: readonly string[]): readonly Link[] {
  const [program = "", ...args] = [...before, "ip", "-j", "-d", "addr", "show"];
  return JSON.parse(execFileSync(program, args, { encoding: "utf8" }));
}

function ipv4Of(links: readonly Link[]): readonly string[] {
  return links
    .filter(({ ifname }) => ifname !== "lo")
    .flatMap(({ addr_info }) => addr_info)
    .filter(({ family }) => family === "inet")
    .map(({ local, prefixlen }) => `${local}/${prefixlen}`);
}

function isWithin(address: string, subnets: readonly string[]): boolean {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [base = "", length] = subnet.split("/");
    list.addSubnet(base, Number(length), "ipv4");
  }
  return list.check(address.split("/")[0] ?? "", "ipv4");
}

/**
 * What a user's networks have beyond its limits, read from the host: the instance's bridges beside the default one and the foreign one,
 * and the addresses in the network namespaces of its containers.
 * @param pids the processes of its running containers.
 */
export function beyondNetworks(
  berth: BerthWithDirectory,
  pids: readonly number[],
  { subnets, networks, foreign }: NetworkLimits,
): readonly string[] {
  const bridges = addresses().filter(({ ifalias }) => ifalias === `berth-${berth.instance}`);
  const [common, others] = [`${berth.instance}0`, bridges.filter(({ ifname }) => ifname.startsWith("br-"))];
  const own = others.filter((link) => !ipv4Of([link]).some((address) => isWithin(address, [foreign])));
  const shared = ipv4Of(bridges.filter(({ ifname }) => ifname === common));
  const beyond = own.length > networks ? [`${own.length} networks of at most ${networks}`] : [];
  for (const address of ipv4Of(own)) if (!isWithin(address, subnets)) beyond.push(`a network with ${address}`);
  for (const pid of pids)
    for (const address of ipv4Of(addresses("nsenter", "-t", `${pid}`, "-n")))
      if (!isWithin(address, [...subnets, ...shared])) beyond.push(`a container with ${address}`);
  return beyond;
}

/** Host addresses and ports that the kernel leads to containers, from the elements of the instance's nftables maps. */
export function publishedAddresses({ instance }: BerthWithDirectory): readonly string[] {
  const listed = (map: string): readonly string[] => {
    const { nftables } = JSON.parse(
      execFileSync("nft", ["-j", "list", "map", "ip", instance, map], { encoding: "utf8" }),
    ) as {
      readonly nftables: readonly { readonly map?: { readonly elem?: readonly (readonly [unknown, unknown])[] } }[];
    };
    return nftables.flatMap(({ map }) => map?.elem ?? []).map(([key]) => JSON.stringify(key));
  };
  // Those for the wildcard address have no address in their key.
  return [
    ...listed("ports").map(() => "0.0.0.0"),
    ...listed("addresses").map((key) => /[0-9]+(?:\.[0-9]+){3}/.exec(key)?.[0] ?? key),
  ];
}
