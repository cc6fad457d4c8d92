import { createHash } from "node:crypto";
import { type Cidr, cidrOverlaps, type IpFamily, parseCidr } from "@berth/port-spec";
import { EngineError } from "../../engine/errors.ts";
import { parseSubnet } from "./inet.ts";

/** Docker's order: large subnets first, and the ones that home routers use last. */
export const ADDRESS_POOLS: readonly string[] = [
  ...[29, 30, 31, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28].map((second) => `172.${second}.0.0/16`),
  ...Array.from({ length: 16 }, (_, index) => `192.168.${index * 16}.0/20`),
];

/** Where users' networks get their subnets: 512 small ones, so that one user cannot exhaust the pools of the others. */
export const USER_POOLS: readonly string[] = ["172.31", "192.168"].flatMap((start) =>
  Array.from({ length: 256 }, (_, third) => `${start}.${third}.0/24`),
);

function noPool(family: IpFamily): EngineError {
  const name = family === "ipv4" ? "IPv4" : "IPv6";
  return new EngineError(
    "failed",
    `could not find an available, non-overlapping ${name} address pool among the defaults to assign to the network`,
  );
}

/** The first pool that overlaps no subnet in use; throws Docker's error if there is none. */
export function freePool(pools: readonly string[], inUse: readonly Cidr[]): Cidr {
  for (const text of pools) {
    const pool = parseSubnet(text, "ipv4");
    if (pool !== undefined && !inUse.some((used) => cidrOverlaps(pool, used))) return pool;
  }
  throw noPool("ipv4");
}

/**
 * The host's own /48 of unique local addresses (RFC 4193), the same at each start: `fd`, then 40 bits of a hash of the host's id, as Docker
 * derives it (moby `deriveULABaseNetwork`).
 */
export function localPrefix(hostId: string): Cidr {
  const globalId = createHash("sha256").update(hostId).digest().readBigUInt64BE() & 0xff_ffff_ffffn;
  const start = (0xfdn << 120n) | (globalId << 80n);
  return { family: "ipv6", start, end: start + (1n << 80n) - 1n, prefixLength: 48 };
}

/** The first /64 of the prefix that overlaps no subnet in use; throws Docker's error if there is none. */
export function freeSubnet(prefix: Cidr, inUse: readonly Cidr[]): Cidr {
  const size = 1n << 64n;
  for (let start = prefix.start; start <= prefix.end; start += size) {
    const subnet: Cidr = { family: "ipv6", start, end: start + size - 1n, prefixLength: 64 };
    if (!inUse.some((used) => cidrOverlaps(subnet, used))) return subnet;
  }
  throw noPool("ipv6");
}

/** Where no network can be: unspecified, loopback and mapped addresses, link-local ones, and multicast. */
const RESERVED = ["::/96", "::ffff:0:0/96", "fe80::/10", "ff00::/8"].flatMap((text) => parseCidr(text) ?? []);

/** Whether an IPv6 subnet can be a network's: at least a gateway and two containers, and none of the addresses that have a meaning. */
export function isNetworkable(subnet: Cidr): boolean {
  return (
    subnet.prefixLength >= 16 &&
    subnet.prefixLength <= 126 &&
    !RESERVED.some((reserved) => cidrOverlaps(reserved, subnet))
  );
}
