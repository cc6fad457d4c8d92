import { ipFamily } from "./ip-address.ts";
import { isAnyAddress, type Leases, portsAgainst } from "./leases.ts";
import { firstOutside, type PortSet } from "./port-set.ts";
import type { Protocol } from "./protocol.ts";

/** Where binds happen, with what is held there. The wishes of one allocation with equal protocol and HostIp share it. */
export interface Scope {
  readonly protocol: Protocol;
  readonly addresses: readonly string[];
  /** The interval sets that leases and reservations hold. */
  readonly held: readonly PortSet[];
}

/** The scope of these addresses beside everything `held` there. */
export function scopeOf(protocol: Protocol, addresses: readonly string[], held: readonly Leases<unknown>[]): Scope {
  const sets = held.flatMap((leases) => addresses.flatMap((hostIp) => portsAgainst(leases, protocol, hostIp)));
  return { protocol, addresses, held: sets };
}

/** Whether one port can't be given in both. */
export function scopesExclude(a: Scope, b: Scope): boolean {
  return (
    a.protocol === b.protocol && a.addresses.some((one) => b.addresses.some((other) => addressesExclude(one, other)))
  );
}

function addressesExclude(a: string, b: string): boolean {
  return a === b || (ipFamily(a) === ipFamily(b) && (isAnyAddress(a) || isAnyAddress(b)));
}

/** What one try has given away so far in one scope: each such port leads to the next one worth a look. */
export type Given = Map<number, number>;

/** The first port from `from` on that is neither held nor given away; may be past 65535. */
export function firstFree(scope: Scope, given: Given, from: number): number {
  for (let port = from; ; ) {
    const outside = scope.held.reduce((at, set) => firstOutside(set, at), port);
    const next = skipGiven(given, outside);
    if (next === port) return port;
    port = next;
  }
}

/** Follows the marks to a port that has none, and shortens the way for the next time. */
function skipGiven(given: Given, from: number): number {
  let end = from;
  for (let next = given.get(end); next !== undefined; next = given.get(end)) end = next;
  for (let at = from; at !== end; ) {
    const next = given.get(at) ?? end;
    given.set(at, end);
    at = next;
  }
  return end;
}
