import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { cidrContains, parseCidr, parseIp } from "@berth/port-spec";

/**
 * How far an actor's requests may reach: an administrator's anywhere, a user's to no address of this host only (loopback and link-local,
 * where clouds serve a machine's secrets). The images constraint decides about all other names.
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

/** The error code of a look-up that found only addresses of this host. */
export const OUT_OF_REACH = "EHOSTONLY";

/**
 * The look-up of sockets that must not connect to this host only. Resolves the name once and connects to that result, so that a second
 * answer cannot redirect the socket.
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
