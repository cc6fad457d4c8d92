import { ANY_IPV4, ANY_IPV6, type IpFamily, ipFamily } from "../spec/ip-address.ts";
import { NO_PORTS, type PortSet, portSet, portSetContains, portSetSubtract, portSetUnion } from "../spec/port-set.ts";
import type { Protocol } from "../spec/protocol.ts";
import { lowerBound } from "../spec/sorted.ts";

/** One port on one canonical host address (`0.0.0.0` and `::` stand for every address of their family). */
export interface HostEndpoint {
  readonly hostIp: string;
  readonly hostPort: number;
  readonly protocol: Protocol;
}

/** A host port that is held. `holder` is the caller's own value: a container id, a record, `"another process"`. */
export interface Lease<H> extends HostEndpoint {
  readonly holder: H;
}

/**
 * Every lease of a host as one immutable value: interval sets answer "is it free", leases answer "who holds it".
 * Build it with {@link leasesOf}; {@link addLeases} and {@link removeLeases} return a new value and leave the old one
 * unchanged.
 */
export interface Leases<H> {
  /** @internal */
  readonly fields: ReadonlyMap<string, LeaseField<H>>;
}

/** The leases of one protocol in one address family: only these can exclude each other. */
interface LeaseField<H> {
  /** Held on at least one address: what a wildcard must avoid. */
  readonly anywhere: PortSet;
  readonly addresses: ReadonlyMap<string, AddressLeases<H>>;
}

interface AddressLeases<H> {
  readonly ports: PortSet;
  /** In ascending order of port. */
  readonly leases: readonly Lease<H>[];
}

const NOTHING: AddressLeases<never> = { ports: NO_PORTS, leases: [] };

/** No leases. */
export const NO_LEASES: Leases<never> = { fields: new Map() };

/**
 * Whether the endpoints exclude each other: same protocol and port, and either the same address or one of them is the
 * wildcard of the other's family.
 */
export function endpointsOverlap(a: HostEndpoint, b: HostEndpoint): boolean {
  if (a.protocol !== b.protocol || a.hostPort !== b.hostPort || ipFamily(a.hostIp) !== ipFamily(b.hostIp)) return false;
  return a.hostIp === b.hostIp || isAnyAddress(a.hostIp) || isAnyAddress(b.hostIp);
}

/** Whether a canonical address stands for every address of its family. */
export function isAnyAddress(hostIp: string): boolean {
  return hostIp === ANY_IPV4 || hostIp === ANY_IPV6;
}

/**
 * Builds a value from leases. Sorts once, so use it to load a whole host.
 *
 * @example
 * ```ts
 * const taken = leasesOf([{ hostIp: "0.0.0.0", hostPort: 8080, protocol: "tcp", holder: "web" }]);
 * findOverlap(taken, { hostIp: "127.0.0.1", hostPort: 8080, protocol: "tcp" })?.holder; // => "web"
 * ```
 */
export function leasesOf<H>(leases: Iterable<Lease<H>>): Leases<H> {
  return addLeases<H>(NO_LEASES, leases);
}

/** Adds leases to `held`; a lease replaces an earlier one of the same endpoint. */
export function addLeases<H>(held: Leases<H>, more: Iterable<Lease<H>>): Leases<H> {
  const fields = new Map(held.fields);
  for (const [key, added] of byField(more)) {
    const addresses = new Map(fields.get(key)?.addresses);
    for (const [hostIp, leases] of byAddress(added)) {
      const { ports, leases: before } = addresses.get(hostIp) ?? NOTHING;
      const latest = new Map(leases.map((lease) => [lease.hostPort, lease]));
      addresses.set(hostIp, {
        ports: portSetUnion(ports, portsOf(latest.keys())),
        leases: replaceAt(before, latest.keys(), latest),
      });
    }
    fields.set(key, { anywhere: anywhereOf(addresses), addresses });
  }
  return { fields };
}

/** Removes the leases of the endpoints from `held`; endpoints without a lease are ignored. */
export function removeLeases<H>(held: Leases<H>, gone: Iterable<HostEndpoint>): Leases<H> {
  const fields = new Map(held.fields);
  for (const [key, endpoints] of byField(gone)) {
    const addresses = new Map(fields.get(key)?.addresses);
    for (const [hostIp, removed] of byAddress(endpoints)) {
      const { ports, leases: before } = addresses.get(hostIp) ?? NOTHING;
      const numbers = new Set(removed.map(({ hostPort }) => hostPort));
      const leases = replaceAt<H>(before, numbers, new Map());
      if (leases.length === 0) addresses.delete(hostIp);
      else addresses.set(hostIp, { ports: portSetSubtract(ports, portsOf(numbers)), leases });
    }
    if (addresses.size === 0) fields.delete(key);
    else fields.set(key, { anywhere: anywhereOf(addresses), addresses });
  }
  return { fields };
}

/** Every lease, grouped by protocol, family and address, in ascending order of port. */
export function* eachLease<H>(held: Leases<H>): Generator<Lease<H>, void, undefined> {
  for (const field of held.fields.values()) for (const address of field.addresses.values()) yield* address.leases;
}

/** A lease that excludes the endpoint, or `undefined`. Logarithmic in the number of leases. */
export function findOverlap<H>(held: Leases<H>, endpoint: HostEndpoint): Lease<H> | undefined {
  const field = held.fields.get(fieldKey(endpoint.protocol, ipFamily(endpoint.hostIp)));
  if (field === undefined) return undefined;
  const { hostIp, hostPort } = endpoint;
  if (!isAnyAddress(hostIp)) {
    return (
      leaseAt(field.addresses.get(hostIp), hostPort) ?? leaseAt(field.addresses.get(anyAddressLike(hostIp)), hostPort)
    );
  }
  const addresses = portSetContains(field.anywhere, hostPort) ? field.addresses.values() : [];
  for (const address of addresses) {
    const lease = leaseAt(address, hostPort);
    if (lease !== undefined) return lease;
  }
  return undefined;
}

/** The sets of host ports that a bind to the address must avoid. */
export function portsAgainst<H>(held: Leases<H>, protocol: Protocol, hostIp: string): readonly PortSet[] {
  const field = held.fields.get(fieldKey(protocol, ipFamily(hostIp)));
  if (field === undefined) return [];
  if (isAnyAddress(hostIp)) return [field.anywhere];
  const sets = [field.addresses.get(hostIp)?.ports, field.addresses.get(anyAddressLike(hostIp))?.ports];
  return sets.filter((set) => set !== undefined);
}

/** The wildcard of the address's family. */
export function anyAddressLike(hostIp: string): string {
  return ipFamily(hostIp) === "ipv6" ? ANY_IPV6 : ANY_IPV4;
}

function fieldKey(protocol: Protocol, family: IpFamily): string {
  return `${protocol} ${family}`;
}

function byField<E extends HostEndpoint>(endpoints: Iterable<E>): Map<string, E[]> {
  return grouped(endpoints, ({ protocol, hostIp }) => fieldKey(protocol, ipFamily(hostIp)));
}

function byAddress<E extends HostEndpoint>(endpoints: Iterable<E>): Map<string, E[]> {
  return grouped(endpoints, ({ hostIp }) => hostIp);
}

function grouped<E>(items: Iterable<E>, keyOf: (item: E) => string): Map<string, E[]> {
  const groups = new Map<string, E[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

function anywhereOf<H>(addresses: ReadonlyMap<string, AddressLeases<H>>): PortSet {
  let anywhere = NO_PORTS;
  for (const { ports } of addresses.values()) anywhere = portSetUnion(anywhere, ports);
  return anywhere;
}

function leaseAt<H>(address: AddressLeases<H> | undefined, port: number): Lease<H> | undefined {
  if (address === undefined) return undefined;
  const lease = address.leases[lowerBound(address.leases, ({ hostPort }) => hostPort < port)];
  return lease?.hostPort === port ? lease : undefined;
}

function portsOf(numbers: Iterable<number>): PortSet {
  return portSet(...[...numbers].map((port) => ({ start: port, end: port })));
}

/** Sorted leases, where those at the given ports are replaced by what `by` has for the port, or removed. */
function replaceAt<H>(
  leases: readonly Lease<H>[],
  ports: Iterable<number>,
  by: ReadonlyMap<number, Lease<H>>,
): readonly Lease<H>[] {
  const replaced: Lease<H>[] = [];
  let next = 0;
  for (const port of [...ports].sort((a, b) => a - b)) {
    const upTo = lowerBound(leases, ({ hostPort }) => hostPort < port);
    for (const unchanged of leases.slice(next, upTo)) replaced.push(unchanged);
    const lease = by.get(port);
    if (lease !== undefined) replaced.push(lease);
    next = leases[upTo]?.hostPort === port ? upTo + 1 : upTo;
  }
  for (const unchanged of leases.slice(next)) replaced.push(unchanged);
  return replaced;
}
