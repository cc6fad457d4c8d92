import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { cidrContains, parseCidr, parseIp } from "@berth/port-spec";

/**
 * How far a request may go: an administrator's everywhere, a user's to no address that is this host's alone: its loopback, and the
 * link's own, where clouds tell a machine its secrets. The names of other addresses are for the images constraint to decide on.
 */
export type NetworkScope = "everywhere" | "beyond-host";

const HOST_ONLY = [
  "0.0.0.0/8",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "224.0.0.0/3",
  "::/127",
  "fe80::/10",
  "ff00::/8",
  // A cloud's service for the machine alone, although its address is not link-local.
  "fd00:ec2::254/128",
].flatMap((text) => parseCidr(text) ?? []);

/**
 * Whether an address, or a URL's host that is an address, belongs to this host alone. A name does not: the addresses that it
 * resolves to are checked when they are known.
 */
export function isHostOnly(host: string): boolean {
  const address = parseIp(host.replace(/^\[(.*)\]$/, "$1").replace(/%.*$/, ""));
  return address !== undefined && HOST_ONLY.some((block) => cidrContains(block, address));
}

/** The code of a look-up that found nothing but addresses of this host. */
export const OUT_OF_REACH = "EHOSTONLY";

/**
 * For a socket that may not lead to this host alone: what a name leads to is asked once, here, and that is where the socket goes, so
 * that no second answer can lead it elsewhere.
 */
export const lookUpBeyondHost: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (failure, addresses) => {
    if (failure) return callback(failure, "");
    const [first, ...others] = addresses.filter(({ address }) => !isHostOnly(address));
    if (first === undefined)
      return callback(Object.assign(new Error(`${hostname} is this host`), { code: OUT_OF_REACH }), "");
    if (options.all) callback(null, [first, ...others]);
    else callback(null, first.address, first.family);
  });
};
