/** An IP version. */
export type IpFamily = "ipv4" | "ipv6";

/** The address that stands for every IPv4 interface. */
export const ANY_IPV4 = "0.0.0.0";
/** The address that stands for every IPv6 interface. */
export const ANY_IPV6 = "::";

/**
 * Reads a literal IPv4 or IPv6 address and returns its one canonical spelling (RFC 5952 for IPv6), so that equal
 * addresses are equal texts. An IPv4-mapped IPv6 address (`::ffff:127.0.0.1`) is the IPv4 address it holds, as in Docker.
 *
 * @returns the canonical address, or `undefined` for names, zone ids, brackets, spaces and octets with leading zeros.
 */
export function canonicalIp(text: string): string | undefined {
  if (isIpv4(text)) return text;
  const groups = ipv6Groups(text);
  if (groups === undefined) return undefined;
  return mappedIpv4(groups) ?? formatIpv6(groups);
}

/** The family of a canonical address. */
export function ipFamily(address: string): IpFamily {
  return address.includes(":") ? "ipv6" : "ipv4";
}

/** Writes an address and a port as one endpoint: `127.0.0.1:80`, `[::1]:80`. */
export function formatEndpoint(address: string, port: number | string): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}

/** Whether the text is four decimal octets without leading zeros. */
function isIpv4(text: string): boolean {
  let dots = 0;
  let digits = 0;
  let octet = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 46) {
      if (digits === 0) return false;
      dots++;
      digits = 0;
      octet = 0;
    } else {
      if (code < 48 || code > 57 || (digits > 0 && octet === 0)) return false;
      octet = octet * 10 + code - 48;
      digits++;
      if (octet > 255) return false;
    }
  }
  return dots === 3 && digits > 0;
}

/** The eight 16-bit groups of an IPv6 address. */
function ipv6Groups(text: string): readonly number[] | undefined {
  const gap = text.indexOf("::");
  if (gap < 0) {
    const groups = groupsOf(text);
    return groups?.length === 8 ? groups : undefined;
  }
  const head = gap === 0 ? [] : groupsOf(text.slice(0, gap));
  const tail = gap === text.length - 2 ? [] : groupsOf(text.slice(gap + 2));
  // An embedded IPv4 address may only stand at the very end, and `::` must stand for at least one group.
  if (head === undefined || tail === undefined || text.slice(0, gap).includes(".")) return undefined;
  const missing = 8 - head.length - tail.length;
  return missing < 1 ? undefined : [...head, ...Array<number>(missing).fill(0), ...tail];
}

/** Colon-separated groups, the last of which may be an IPv4 address that fills two. */
function groupsOf(text: string): readonly number[] | undefined {
  const groups: number[] = [];
  const parts = text.split(":");
  for (const [index, part] of parts.entries()) {
    if (index === parts.length - 1 && isIpv4(part)) {
      const address = part.split(".").reduce((number, octet) => number * 256 + Number(octet), 0);
      groups.push(Math.floor(address / 0x10000), address % 0x10000);
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return groups;
}

function mappedIpv4(groups: readonly number[]): string | undefined {
  if (groups.slice(0, 6).join() !== "0,0,0,0,0,65535") return undefined;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join(".");
}

/** RFC 5952: lower case, no leading zeros, the first longest run of two or more zero groups becomes `::`. */
function formatIpv6(groups: readonly number[]): string {
  let best = { at: -1, length: 1 };
  let at = 0;
  while (at < 8) {
    let length = 0;
    while (groups[at + length] === 0) length++;
    if (length > best.length) best = { at, length };
    at += length + 1;
  }
  const text = (part: readonly number[]) => part.map((group) => group.toString(16)).join(":");
  if (best.at < 0) return text(groups);
  return `${text(groups.slice(0, best.at))}::${text(groups.slice(best.at + best.length))}`;
}
