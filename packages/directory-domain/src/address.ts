import { canonicalIp, ipFamily } from "@berth/port-spec";
import type { Interval } from "./intervals.ts";

/*
 * Every address is one number of 128 bits; IPv4 sits at ::ffff:0:0/96 (RFC 4291, 2.5.5.2), so that `::ffff:10.0.0.5` and
 * `10.0.0.5` are the same number and a rule on one holds for the other.
 */
const IPV4_BASE = 0xffff_0000_0000n;
const EVERY_IPV4: Interval = { start: IPV4_BASE, end: IPV4_BASE + 0xffff_ffffn };
export const EVERY_ADDRESS: Interval = { start: 0n, end: (1n << 128n) - 1n };

interface Address {
  readonly value: bigint;
  readonly family: 4 | 6;
}

/**
 * Reads what a constraint may name: `*`, an address, or a CIDR block (`10.0.0.0/8`, `fd00::/8`).
 * @returns the addresses it covers, or undefined when it is none of these. Leading zeros (`010.0.0.1`) and zones
 * (`fe80::1%eth0`) are refused: programs disagree on what they mean.
 */
export function parseAddressBlock(text: string): Interval | undefined {
  if (text === "*") return EVERY_ADDRESS;
  const [head = "", length, ...rest] = text.split("/");
  const address = parseAddress(head);
  if (address === undefined || rest.length > 0) return undefined;
  if (length === undefined) return { start: address.value, end: address.value };
  const bits = address.family === 4 ? 32 : 128;
  if (!/^(0|[1-9]\d{0,2})$/.test(length) || Number(length) > bits) return undefined;
  const size = 1n << BigInt(bits - Number(length));
  const start = address.value - (address.value % size);
  return { start, end: start + size - 1n };
}

/**
 * The addresses that a binding's host address listens on. Empty means every address, as Docker binds both families then, and so does
 * `::`, since a dual-stack socket takes IPv4 too; `0.0.0.0` means every IPv4 address.
 */
export function listenedAddresses(hostIp: string): Interval | undefined {
  if (hostIp === "") return EVERY_ADDRESS;
  if (hostIp === "0.0.0.0") return EVERY_IPV4;
  const address = parseAddress(hostIp);
  if (address === undefined) return undefined;
  if (address.value === 0n) return EVERY_ADDRESS;
  if (address.value === IPV4_BASE) return EVERY_IPV4;
  return { start: address.value, end: address.value };
}

function parseAddress(text: string): Address | undefined {
  const canonical = canonicalIp(text);
  if (canonical === undefined) return undefined;
  // `::ffff:10.0.0.0/104` counts its bits as IPv6 although its canonical form is IPv4.
  const family = text.includes(":") ? 6 : 4;
  const value = ipFamily(canonical) === "ipv6" ? ipv6Value(canonical) : IPV4_BASE + ipv4Value(canonical);
  return { value, family };
}

function ipv4Value(address: string): bigint {
  return address.split(".").reduce((sum, octet) => sum * 256n + BigInt(octet), 0n);
}

/** Of an address in canonical form, where `::` may stand once and no IPv4 is embedded. */
function ipv6Value(address: string): bigint {
  const [head = [], tail] = address.split("::").map((half) => (half === "" ? [] : half.split(":")));
  const zeros = tail === undefined ? [] : Array<string>(8 - head.length - tail.length).fill("0");
  return [...head, ...zeros, ...(tail ?? [])].reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}
