import { cidrContains, parseCidr, parseIp } from "@berth/port-spec";

/**
 * Where a cloud tells each machine its secrets, beside other services for that machine alone. Nearly all clouds use 169.254.169.254; the
 * others are addresses that their documentation names.
 */
export const MACHINE_SERVICES: readonly string[] = [
  "169.254.0.0/16",
  // Alibaba Cloud, Azure, Oracle Cloud Classic.
  "100.100.100.200/32",
  "168.63.129.16/32",
  "192.0.0.192/32",
  // AWS, Google Cloud, Scaleway, Linode.
  "fd00:ec2::/32",
  "fd20:ce::254/128",
  "fd00:42::42/128",
  "fd00:a9fe:a9fe::1/128",
];

const HOST_ONLY = [
  ...MACHINE_SERVICES,
  "0.0.0.0/8",
  "127.0.0.0/8",
  "224.0.0.0/3",
  "::/127",
  "fe80::/10",
  "ff00::/8",
].flatMap((text) => parseCidr(text) ?? []);

/**
 * Whether an address, or the address in a URL's host, belongs to this host only. Names do not: their addresses are checked once
 * resolved.
 */
export function isHostOnly(host: string): boolean {
  const address = parseIp(host.replace(/^\[(.*)\]$/, "$1").replace(/%.*$/, ""));
  return address !== undefined && HOST_ONLY.some((block) => cidrContains(block, address));
}
