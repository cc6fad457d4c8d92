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
 * The addresses that a binding's host address listens on. Empty and `0.0.0.0` mean every IPv4 address; `::` means every
 * address, since a dual-stack socket takes IPv4 too.
 */
export function listenedAddresses(hostIp: string): Interval | undefined {
  if (hostIp === "" || hostIp === "0.0.0.0") return EVERY_IPV4;
  const address = parseAddress(hostIp);
  if (address === undefined) return undefined;
  if (address.value === 0n) return EVERY_ADDRESS;
  if (address.value === IPV4_BASE) return EVERY_IPV4;
  return { start: address.value, end: address.value };
}

function parseAddress(text: string): Address | undefined {
  const value = text.includes(":") ? parseIpv6(text) : parseIpv4(text);
  if (value === undefined) return undefined;
  return text.includes(":") ? { value, family: 6 } : { value: IPV4_BASE + value, family: 4 };
}

function parseIpv4(text: string): bigint | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255))
    return undefined;
  return parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n);
}

function parseIpv6(text: string): bigint | undefined {
  if (text.length > 45) return undefined;
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const head = parseGroups(halves[0] ?? "", { last: halves.length === 1 });
  const tail = halves.length === 2 ? parseGroups(halves[1] ?? "", { last: true }) : [];
  if (head === undefined || tail === undefined) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  return [...head, ...Array<bigint>(missing).fill(0n), ...tail].reduce((sum, group) => (sum << 16n) | group, 0n);
}

/** The 16-bit groups of one side of `::`; only the very last group of an address may be dotted IPv4. */
function parseGroups(text: string, { last }: { readonly last: boolean }): readonly bigint[] | undefined {
  if (text === "") return [];
  const groups: bigint[] = [];
  const parts = text.split(":");
  for (const [index, part] of parts.entries()) {
    if (last && index === parts.length - 1 && part.includes(".")) {
      const ipv4 = parseIpv4(part);
      if (ipv4 === undefined) return undefined;
      groups.push(ipv4 >> 16n, ipv4 & 0xffffn);
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(BigInt(`0x${part}`));
    else return undefined;
  }
  return groups;
}
