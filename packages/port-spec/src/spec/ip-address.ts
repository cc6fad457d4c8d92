/** An IP version. */
export type IpFamily = "ipv4" | "ipv6";

/** The address that stands for every IPv4 interface. */
export const ANY_IPV4 = "0.0.0.0";
/** The address that stands for every IPv6 interface. */
export const ANY_IPV6 = "::";

/** Whether the text is a literal IPv4 or IPv6 address, without a zone id, brackets, spaces, or octets with leading zeros. */
export function isIp(text: string): boolean {
  return isIpv4(text, 0) || isIpv6(text);
}

/**
 * Returns the canonical spelling of a literal IPv4 or IPv6 address (RFC 5952 for IPv6), so that equal addresses are equal
 * texts. An IPv4-mapped IPv6 address (`::ffff:127.0.0.1`) becomes the IPv4 address, as in Docker.
 *
 * @returns the canonical address, or `undefined` if the text is not an address ({@link isIp}).
 */
export function canonicalIp(text: string): string | undefined {
  if (isIpv4(text, 0)) return text;
  const groups = ipGroups(text);
  return groups && formatIpGroups(groups);
}

/** The eight 16-bit groups of a literal address, where IPv4 is mapped to IPv6; `undefined` if the text is not an address. */
export function ipGroups(text: string): readonly number[] | undefined {
  if (isIpv4(text, 0)) return ipv6Groups(`::ffff:${text}`);
  return isIpv6(text) ? ipv6Groups(text) : undefined;
}

/** Formats the eight groups of an address in its canonical spelling; the inverse of {@link ipGroups}. */
export function formatIpGroups(groups: readonly number[]): string {
  return mappedIpv4(groups) ?? formatIpv6(groups);
}

/** The family of a canonical address. */
export function ipFamily(address: string): IpFamily {
  return address.includes(":") ? "ipv6" : "ipv4";
}

/** Formats an address and a port as one endpoint: `127.0.0.1:80`, `[::1]:80`. */
export function formatEndpoint(address: string, port: number | string): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}

const DOT = 46;
const COLON = 58;

/** Whether the text from `from` on is four decimal octets without leading zeros. */
function isIpv4(text: string, from: number): boolean {
  let dots = 0;
  let digits = 0;
  let octet = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === DOT) {
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

/** Whether the text is eight groups of hexadecimal digits, or fewer with one `::`; an IPv4 address may replace the last two. */
function isIpv6(text: string): boolean {
  let groups = 0;
  let hasGap = false;
  let at = 0;
  if (text.startsWith("::")) {
    hasGap = true;
    at = 2;
  }
  while (at < text.length) {
    const end = endOfHex(text, at);
    if (text.charCodeAt(end) === DOT) {
      if (!isIpv4(text, at)) return false;
      groups += 2;
      break;
    }
    if (end === at || end > at + 4) return false;
    groups++;
    if (end === text.length) break;
    if (text.charCodeAt(end) !== COLON) return false;
    at = end + 1;
    if (text.charCodeAt(at) === COLON) {
      if (hasGap) return false;
      hasGap = true;
      at++;
    } else if (at === text.length) return false;
  }
  return hasGap ? groups < 8 : groups === 8;
}

function endOfHex(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isDigit = code >= 48 && code <= 57;
    const isLetter = (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
    if (!isDigit && !isLetter) break;
  }
  return at;
}

/** The eight 16-bit groups of an IPv6 address. */
function ipv6Groups(text: string): readonly number[] {
  const parts = text.split("::").map(groupsOf);
  const zeros = Array<number>(8 - parts.flat().length).fill(0);
  return parts.flatMap((groups, index) => (index === 0 ? [...groups, ...zeros] : groups));
}

/** Colon-separated groups; an IPv4 address at the end counts as two. */
function groupsOf(text: string): readonly number[] {
  if (text === "") return [];
  return text.split(":").flatMap((part) => {
    if (!part.includes(".")) return [Number.parseInt(part, 16)];
    const address = part.split(".").reduce((number, octet) => number * 256 + Number(octet), 0);
    return [Math.floor(address / 0x10000), address % 0x10000];
  });
}

function mappedIpv4(groups: readonly number[]): string | undefined {
  if (groups.slice(0, 6).join() !== "0,0,0,0,0,65535") return undefined;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join(".");
}

/** RFC 5952: lower case, no leading zeros, and `::` for the first longest run of two or more zero groups. */
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
