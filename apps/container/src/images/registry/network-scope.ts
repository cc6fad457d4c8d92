import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { isHostOnly } from "../../engine/host-addresses.ts";

/**
 * How far an actor's requests may reach: an administrator's anywhere, a user's to no address of this host only (loopback and link-local,
 * where clouds serve a machine's secrets). The images constraint decides about all other names.
 */
export type NetworkScope = "everywhere" | "beyond-host";

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
