import { parseCidr, parseIp } from "@berth/port-spec";
import type { Interval } from "./intervals.ts";

// Addresses are the numbers of `parseIp`, where `::ffff:10.0.0.5` equals `10.0.0.5`, so a rule on one holds for the other.
const EVERY_IPV4: Interval = { start: 0xffff_0000_0000n, end: 0xffff_ffff_ffffn };
export const EVERY_ADDRESS: Interval = { start: 0n, end: (1n << 128n) - 1n };

/**
 * Parses what a constraint may name: `*`, an address, or a CIDR block (`10.0.0.0/8`, `fd00::/8`).
 * @returns the addresses it covers, or undefined if it is none of these. Leading zeros (`010.0.0.1`) and zones
 * (`fe80::1%eth0`) are rejected: programs disagree on what they mean.
 */
export function parseAddressBlock(text: string): Interval | undefined {
  if (text === "*") return EVERY_ADDRESS;
  if (!text.includes("/")) return single(parseIp(text));
  const block = parseCidr(text);
  return block && { start: block.start, end: block.end };
}

/**
 * The addresses that a binding's host address listens on. Empty means every address, because Docker binds both families then,
 * and so does `::`, because a dual-stack socket accepts IPv4 too; `0.0.0.0` means every IPv4 address.
 */
export function listenedAddresses(hostIp: string): Interval | undefined {
  if (hostIp === "") return EVERY_ADDRESS;
  const address = parseIp(hostIp);
  if (address === EVERY_ADDRESS.start) return EVERY_ADDRESS;
  return address === EVERY_IPV4.start ? EVERY_IPV4 : single(address);
}

function single(address: bigint | undefined): Interval | undefined {
  return address === undefined ? undefined : { start: address, end: address };
}
