import { lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/**
 * How far a request may go: an administrator's everywhere, a user's to no address that is this host's alone: its loopback, and the
 * link's own, where clouds tell a machine its secrets. The names of other addresses are for the images constraint to decide on.
 */
export type Reach = "everywhere" | "beyond-host";

const hostOnly = new BlockList();
for (const [address, bits] of [
  ["0.0.0.0", 8],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["224.0.0.0", 3],
] as const)
  hostOnly.addSubnet(address, bits, "ipv4");
for (const [address, bits] of [
  ["::", 127],
  ["fe80::", 10],
  ["ff00::", 8],
  // A cloud's service for the machine alone, though its address is no link's.
  ["fd00:ec2::254", 128],
] as const)
  hostOnly.addSubnet(address, bits, "ipv6");

/** Whether an address, or a host of a URL that is one, is for this host alone. A name is not: what it leads to is asked when it is known. */
export function isHostOnly(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, "$1");
  const family = isIP(address);
  return family !== 0 && hostOnly.check(address, family === 4 ? "ipv4" : "ipv6");
}

/** The code of a look-up that found nothing but addresses of this host. */
export const outOfReach = "EHOSTONLY";

/**
 * For a socket that may not lead to this host alone: what a name leads to is asked once, here, and that is where the socket goes, so
 * that no second answer can lead it elsewhere.
 */
export const lookUpBeyondHost: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (failure, addresses) => {
    if (failure) return callback(failure, "");
    const [first, ...others] = addresses.filter(({ address }) => !isHostOnly(address));
    if (first === undefined)
      return callback(Object.assign(new Error(`${hostname} is this host`), { code: outOfReach }), "");
    if (options.all) callback(null, [first, ...others]);
    else callback(null, first.address, first.family);
  });
};
