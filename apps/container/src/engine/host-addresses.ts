import { cidrContains, parseCidr, parseIp } from "@berth/port-spec";

const HOST_ONLY = [
  "0.0.0.0/8",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "224.0.0.0/3",
  "::/127",
  "fe80::/10",
  "ff00::/8",
  // A cloud's metadata service whose address is not link-local.
  "fd00:ec2::254/128",
].flatMap((text) => parseCidr(text) ?? []);

/**
 * Whether an address, or the address in a URL's host, belongs to this host only. Names do not: their addresses are checked once
 * resolved.
 */
export function isHostOnly(host: string): boolean {
  const address = parseIp(host.replace(/^\[(.*)\]$/, "$1").replace(/%.*$/, ""));
  return address !== undefined && HOST_ONLY.some((block) => cidrContains(block, address));
}
