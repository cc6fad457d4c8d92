import { type Cidr, cidrContains, parseCidr, parseIp } from "@berth/port-spec";

/** Parses a dotted address; undefined for any other text. */
export function parseIpv4(text: string): bigint | undefined {
  return text.includes(":") ? undefined : parseIp(text);
}

/** Parses an IPv4 subnet such as `172.29.0.0/16`; undefined for any other text. */
export function parseSubnet(text: string): Cidr | undefined {
  return text.includes(":") ? undefined : parseCidr(text);
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
