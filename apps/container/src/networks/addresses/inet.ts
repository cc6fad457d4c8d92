import { type Cidr, cidrContains, formatIp, type IpFamily, parseCidr, parseIp } from "@berth/port-spec";

function isOf(family: IpFamily, text: string): boolean {
  return text.includes(":") === (family === "ipv6");
}

/** Parses an address of that family; undefined for any other text. */
export function parseAddress(text: string, family: IpFamily): bigint | undefined {
  return isOf(family, text) ? parseIp(text) : undefined;
}

/** Parses a subnet of that family such as `172.29.0.0/16` or `fd00:1::/64`; undefined for any other text. */
export function parseSubnet(text: string, family: IpFamily): Cidr | undefined {
  const subnet = isOf(family, text) ? parseCidr(text) : undefined;
  return subnet?.family === family ? subnet : undefined;
}

/**
 * The next free address of `range` after `last`, wrapping around: a released address rests as long as possible, so that
 * stale entries of the kernel or of a neighbour reach no other container.
 *
 * @param last the address handed out before; undefined at first.
 * @returns undefined if no address is free.
 */
export function nextFree(
  range: Cidr,
  last: bigint | undefined,
  isFree: (address: bigint) => boolean,
): bigint | undefined {
  const first = last === undefined || !cidrContains(range, last) ? range.start : last + 1n;
  for (let address = first; address <= range.end; address++) if (isFree(address)) return address;
  for (let address = range.start; address < first; address++) if (isFree(address)) return address;
  return undefined;
}

/** As Docker derives it: a local prefix and the last 32 bits of the IP address, so that an address always has the same MAC address. */
export function macAddressOf(address: string): string {
  return `02:42:${BigInt.asUintN(32, parseIp(address) ?? 0n)
    .toString(16)
    .padStart(8, "0")
    .replace(/..(?=.)/g, "$&:")}`;
}

/** The link-local IPv6 address that the kernel gives an interface with this MAC address (RFC 4291, appendix A). */
export function linkLocalOf(macAddress: string): string {
  const bytes = macAddress.split(":").map((byte) => Number.parseInt(byte, 16));
  const identifier = [(bytes[0] ?? 0) ^ 2, bytes[1], bytes[2], 0xff, 0xfe, ...bytes.slice(3)];
  return formatIp(identifier.reduce<bigint>((value, byte) => (value << 8n) | BigInt(byte ?? 0), 0xfe80n << 48n));
}

const LINK_LOCAL = ["169.254.0.0/16", "fe80::/10"].flatMap((text) => parseCidr(text) ?? []);

/** Whether it is a link-local address: RFC 3927, or RFC 4291, 2.5.6. */
export function isLinkLocal(address: string): boolean {
  const number = parseIp(address);
  return number !== undefined && LINK_LOCAL.some((block) => cidrContains(block, number));
}
