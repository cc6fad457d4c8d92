import { ipFamily } from "./ip-address.ts";
import { anyAddressLike, isAnyAddress, type Leases, portsAgainst } from "./leases.ts";
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

/** What one try has given away in one place: each such port leads to the next one worth a look. */
export type Given = Map<number, number>;

/** What one try has given away, by place. */
export type Book = Map<string, Given>;

/** The pages of the book that a scope must heed: as leases do, a wildcard heeds its whole family. */
export function pagesToRead(book: Book, { protocol, addresses }: Scope): readonly Given[] {
  return addresses.flatMap((hostIp) =>
    isAnyAddress(hostIp)
      ? [page(book, `${protocol} ${ipFamily(hostIp)}`)]
      : [page(book, `${protocol} ${hostIp}`), page(book, `${protocol} ${anyAddressLike(hostIp)}`)],
  );
}

/** The pages of the book that record what is given away in the scope. */
export function pagesToWrite(book: Book, { protocol, addresses }: Scope): readonly Given[] {
  return addresses.flatMap((hostIp) => [
    page(book, `${protocol} ${hostIp}`),
    page(book, `${protocol} ${ipFamily(hostIp)}`),
  ]);
}

function page(book: Book, place: string): Given {
  const found = book.get(place);
  if (found !== undefined) return found;
  const blank: Given = new Map();
  book.set(place, blank);
  return blank;
}

/** The first port from `from` on that is neither held nor given away; may be past 65535. */
export function firstFree(held: readonly PortSet[], given: readonly Given[], from: number): number {
  let port = from;
  for (;;) {
    const outside = held.reduce((at, set) => firstOutside(set, at), port);
    const next = given.reduce((at, marks) => skipGiven(marks, at), outside);
    if (next === port) return port;
    port = next;
  }
}

/** Follows the marks to a port that has none, and shortens the way for the next time. */
function skipGiven(marks: Given, from: number): number {
  const passed: number[] = [];
  let end = from;
  for (let next = marks.get(end); next !== undefined; next = marks.get(end)) {
    passed.push(end);
    end = next;
  }
  for (const port of passed) marks.set(port, end);
  return end;
}
