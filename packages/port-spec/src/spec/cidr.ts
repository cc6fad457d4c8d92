import { formatIpGroups, type IpFamily, ipGroups } from "./ip-address.ts";

/** What precedes the 32 bits of an IPv4 address in its IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2): `::ffff:0:0/96`. */
const IPV4_MAPPED = 0xffffn;

/** A block of addresses in CIDR notation, such as `10.0.0.0/8` or `fd00::/8`. */
export interface Cidr {
  readonly family: IpFamily;
  /** The first address, as the number that {@link parseIp} returns. */
  readonly start: bigint;
  /** The last address. */
  readonly end: bigint;
  /** The number of fixed bits: 0 to 32 for IPv4, 0 to 128 for IPv6. */
  readonly prefixLength: number;
}

/**
 * Parses a literal address to a number of 128 bits. IPv4 addresses are mapped to `::ffff:0:0/96`, so that an IPv4 address and its
 * IPv4-mapped IPv6 address are equal.
 *
 * @returns the number, or `undefined` if the text is not an address: see `isIp`.
 */
export function parseIp(text: string): bigint | undefined {
  return ipGroups(text)?.reduce((value, group) => (value << 16n) | BigInt(group), 0n);
}

/** Formats an address in its canonical spelling; the inverse of {@link parseIp}. */
export function formatIp(address: bigint): string {
  return formatIpGroups(Array.from({ length: 8 }, (_, at) => Number((address >> BigInt(112 - 16 * at)) & 0xffffn)));
}

/**
 * Parses a block in CIDR notation. The bits after the prefix are dropped, as Docker does.
 *
 * @example
 * ```ts
 * const block = parseCidr("10.1.2.3/8");
 * block && formatCidr(block); // => "10.0.0.0/8"
 * block && cidrContains(block, parseIp("::ffff:10.9.9.9") ?? 0n); // => true
 * ```
 *
 * @returns the block, or `undefined` if the text has no valid address or prefix length. Leading zeros are not allowed.
 */
export function parseCidr(text: string): Cidr | undefined {
  const [address = "", length = "", ...rest] = text.split("/");
  const value = parseIp(address);
  if (value === undefined || rest.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(length)) return undefined;
  const fixedBits = Number(length) + (address.includes(":") ? 0 : 96);
  if (fixedBits > 128) return undefined;
  const size = 1n << BigInt(128 - fixedBits);
  const start = value - (value % size);
  const isIpv4 = fixedBits >= 96 && start >> 32n === IPV4_MAPPED;
  const [family, prefixLength] = isIpv4 ? (["ipv4", fixedBits - 96] as const) : (["ipv6", fixedBits] as const);
  return { family, start, end: start + size - 1n, prefixLength };
}

/** Formats `10.0.0.0/8`; the inverse of {@link parseCidr}. */
export function formatCidr({ start, prefixLength }: Cidr): string {
  return `${formatIp(start)}/${prefixLength}`;
}

/** Whether the address is in the block. */
export function cidrContains(block: Cidr, address: bigint): boolean {
  return block.start <= address && address <= block.end;
}

/** Whether the blocks have an address in common. */
export function cidrOverlaps(a: Cidr, b: Cidr): boolean {
  return a.start <= b.end && b.start <= a.end;
}
