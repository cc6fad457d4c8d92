import { ipFamily } from "../spec/ip-address.ts";
import type { PortSet } from "../spec/port-set.ts";
import type { Protocol } from "../spec/protocol.ts";
import { anyAddressLike, isAnyAddress, type Leases, portsAgainst } from "./leases.ts";

/** The addresses that a wish binds to, with the ports already held there. */
export interface Scope {
  readonly protocol: Protocol;
  readonly addresses: readonly string[];
  /** The ports of the leases and reservations that exclude a bind here. */
  readonly held: readonly PortSet[];
  /** The keys under which {@link Picks} looks up what excludes a bind here: a wildcard is excluded by its whole family. */
  readonly excludedBy: readonly string[];
  /** The keys under which {@link Picks} records a bind here. */
  readonly recordedAs: readonly string[];
}

/** The scope of these addresses, given the leases and reservations `held`. */
export function scopeOf(protocol: Protocol, addresses: readonly string[], held: readonly Leases<unknown>[]): Scope {
  const family = (hostIp: string) => `${protocol} ${ipFamily(hostIp)}`;
  const address = (hostIp: string) => `${protocol} ${hostIp}`;
  return {
    protocol,
    addresses,
    held: held.flatMap((leases) => addresses.flatMap((hostIp) => portsAgainst(leases, protocol, hostIp))),
    excludedBy: addresses.flatMap((hostIp) =>
      isAnyAddress(hostIp) ? [family(hostIp)] : [address(hostIp), address(anyAddressLike(hostIp))],
    ),
    recordedAs: addresses.flatMap((hostIp) => [address(hostIp), family(hostIp)]),
  };
}

/** Whether the same port cannot be bound in both scopes. */
export function scopesOverlap(a: Scope, b: Scope): boolean {
  return a.recordedAs.some((key) => b.excludedBy.includes(key));
}
