import { assignPorts } from "./assign.ts";
import type { Claim } from "./claim.ts";
import { endpointsOverlap, findOverlap, type Lease, type Leases, NO_LEASES } from "./leases.ts";
import { formatPortRange } from "./port-range.ts";
import {
  ALL_PORTS,
  formatPortSet,
  NO_PORTS,
  type PortSet,
  portSet,
  portSetIntersect,
  portSetIsEmpty,
  portSetSize,
  portSetSubtract,
} from "./port-set.ts";
import type { PortWish } from "./port-wish.ts";
import type { Protocol } from "./protocol.ts";
import { err, ok, type Result } from "./result.ts";
import { type Scope, scopeOf } from "./scope.ts";

/** What one container wants. */
export interface PortRequest<H> {
  /** Whoever will hold the leases: the caller's own value, copied into each assignment. */
  readonly holder: H;
  readonly wishes: readonly PortWish[];
}

/** A host port given to a container port: a lease to be, which `addLeases` takes as it is. */
export interface PortAssignment<H> extends Lease<H> {
  readonly containerPort: number;
}

/** What the host and its rules allow. */
export interface PortPolicy<H> {
  /** The addresses an empty HostIp stands for; all get the same port. `["0.0.0.0"]` on a host without IPv6. Never empty. */
  readonly anyAddress: readonly string[];
  /** Where dynamic ports come from: the kernel's `ip_local_port_range` unless configured. */
  readonly dynamic: PortSet;
  /** Never picked for a dynamic wish, yet free to be asked for: the kernel's `ip_local_reserved_ports`. Default none. */
  readonly reserved?: PortSet;
  /** The host ports the asker may have, per protocol. Default all. */
  readonly permitted?: Readonly<Record<Protocol, PortSet>>;
  /** Reservations of others, which refuse as leases do. Default none. */
  readonly reservations?: Leases<H>;
  /** Where in the dynamic range the search begins, counted in ports and taken modulo its size. Default 0, its first port. */
  readonly seed?: number;
}

/** The policy of a host that nobody has configured: Linux's own dynamic range, both families, no limits. */
export const DEFAULT_PORT_POLICY: PortPolicy<never> = {
  anyAddress: ["0.0.0.0", "::"],
  dynamic: portSet({ start: 32_768, end: 60_999 }),
};

/** Why no assignment exists. */
export interface PortConflict<H> {
  readonly code:
    | /** The one port asked for is held. */ "port-taken"
    | /** The one port asked for is reserved for another. */ "port-reserved"
    | /** The policy permits none of the ports asked for. */ "port-not-permitted"
    | /** No port of the pool or of the dynamic range is left. */ "ports-exhausted";
  /** Who asked. */
  readonly holder: H;
  /** What was asked for. */
  readonly wish: PortWish;
  /** The address that can't be bound; where HostIp was empty, the first of those it stands for that is in the way. */
  readonly hostIp: string;
  /** The lease or reservation in the way of a fixed port. Its holder is the asker where two of its own wishes collide. */
  readonly lease: Lease<H> | undefined;
  /** What dockerd says after `driver failed programming external connectivity on endpoint ...: `. */
  readonly message: string;
}

/**
 * Gives every wish of every request a host port, or none at all. Pure: equal arguments give equal outcomes.
 *
 * Fixed ports are settled first. A pool takes the first free port of its range, a dynamic wish the first free one from
 * the seed's place on, each moved aside only where another wish would go without.
 *
 * Where a port turns out to be held by a foreign process: add a lease for it to `taken` and call again. Pools and dynamic
 * wishes then move on, and a fixed port becomes the conflict that names that lease.
 *
 * @param requests the containers to start together, each with its wishes.
 * @param taken every lease of the host.
 * @param policy what the host and its rules allow.
 * @returns the assignments in the order of requests and wishes, one for each address; or why there are none. It fails
 * only where no assignment exists, save beyond 64 pools and dynamic wishes that mix wildcard and specific addresses or a
 * dynamic range with holes, where the search is bounded.
 */
export function allocate<H>(
  requests: readonly PortRequest<H>[],
  taken: Leases<H>,
  policy: PortPolicy<H>,
): Result<readonly PortAssignment<H>[], PortConflict<H>> {
  const claims = claimsOf(requests, taken, policy);
  for (const claim of claims) {
    const conflict = conflictWithRules(claim, taken, policy);
    if (conflict !== undefined) return err(conflict);
  }
  const assigned = assignPorts(claims);
  if (!assigned.ok) return err(conflictAmong(assigned.error, claims));
  return ok(claims.flatMap((claim) => leasesFor(claim, assigned.value.get(claim) ?? 0)));
}

interface HeldClaim<H> extends Claim {
  readonly holder: H;
  readonly wish: PortWish;
}

function claimsOf<H>(requests: readonly PortRequest<H>[], taken: Leases<H>, policy: PortPolicy<H>): HeldClaim<H>[] {
  const scopes = new Map<string, Scope>();
  const dynamic = portSetSubtract(policy.dynamic, policy.reserved ?? NO_PORTS);
  return requests.flatMap(({ holder, wishes }) =>
    wishes.map((wish) => {
      const key = `${wish.protocol} ${wish.hostIp}`;
      const addresses = wish.hostIp === "" ? policy.anyAddress : [wish.hostIp];
      const scope = scopes.get(key) ?? scopeOf(wish.protocol, addresses, [taken, policy.reservations ?? NO_LEASES]);
      scopes.set(key, scope);
      const wanted = wish.hostPorts === undefined ? dynamic : portSet(wish.hostPorts);
      const candidates = portSetIntersect(wanted, policy.permitted?.[wish.protocol] ?? ALL_PORTS);
      const from = wish.hostPorts === undefined ? nthPort(candidates, policy.seed ?? 0) : 0;
      return { holder, wish, scope, candidates, from, preferred: wish.preferred };
    }),
  );
}

/** The port at a place in the set, counted from 0 and modulo its size; 0 for the empty set. */
function nthPort(set: PortSet, place: number): number {
  const size = portSetSize(set);
  let left = size === 0 ? 0 : ((place % size) + size) % size;
  for (const { start, end } of set.ranges) {
    if (left <= end - start) return start + left;
    left -= end - start + 1;
  }
  return 0;
}

/** What speaks against the claim whatever else is asked for. */
function conflictWithRules<H>(
  claim: HeldClaim<H>,
  taken: Leases<H>,
  policy: PortPolicy<H>,
): PortConflict<H> | undefined {
  const { holder, wish, scope } = claim;
  const [hostIp = ""] = scope.addresses;
  if (portSetIsEmpty(claim.candidates)) {
    const permitted = policy.permitted?.[wish.protocol] ?? policy.dynamic;
    const message = `${askedFor(wish)} is not permitted: permitted are ${formatPortSet(permitted) || "no ports"}`;
    return { code: "port-not-permitted", holder, wish, hostIp, lease: undefined, message };
  }
  const port = fixedPort(wish);
  if (port === undefined) return undefined;
  for (const hostIp of scope.addresses) {
    const endpoint = { hostIp, hostPort: port, protocol: wish.protocol };
    const lease = findOverlap(taken, endpoint);
    if (lease !== undefined) return takenBy(claim, hostIp, port, lease);
    const reservation = policy.reservations && findOverlap(policy.reservations, endpoint);
    if (reservation !== undefined) {
      const message = `Bind for ${hostIp}:${port} failed: port is reserved`;
      return { code: "port-reserved", holder, wish, hostIp, lease: reservation, message };
    }
  }
  return undefined;
}

/** Why the claim got nothing although nothing speaks against it alone. */
function conflictAmong<H>(claim: HeldClaim<H>, claims: readonly HeldClaim<H>[]): PortConflict<H> {
  const { holder, wish, scope } = claim;
  const [hostIp = ""] = scope.addresses;
  const port = fixedPort(wish);
  const rivals =
    port === undefined ? [] : claims.slice(0, claims.indexOf(claim)).filter((other) => fixedPort(other.wish) === port);
  for (const lease of rivals.flatMap((rival) => leasesFor(rival, port ?? 0))) {
    const hit = scope.addresses.find((address) => endpointsOverlap({ ...lease, hostIp: address }, lease));
    if (hit !== undefined && port !== undefined) return takenBy(claim, hit, port, lease);
  }
  const range = formatPortSet(claim.candidates);
  const message = `Bind for ${hostIp}:${range} failed: all ports are allocated`;
  return { code: "ports-exhausted", holder, wish, hostIp, lease: undefined, message };
}

function takenBy<H>(claim: HeldClaim<H>, hostIp: string, port: number, lease: Lease<H>): PortConflict<H> {
  const { holder, wish } = claim;
  const message = `Bind for ${hostIp}:${port} failed: port is already allocated`;
  return { code: "port-taken", holder, wish, hostIp, lease, message };
}

function leasesFor<H>({ holder, wish, scope }: HeldClaim<H>, hostPort: number): PortAssignment<H>[] {
  const { protocol, containerPort } = wish;
  return scope.addresses.map((hostIp) => ({ hostIp, hostPort, protocol, containerPort, holder }));
}

function fixedPort({ hostPorts }: PortWish): number | undefined {
  return hostPorts?.start === hostPorts?.end ? hostPorts?.start : undefined;
}

function askedFor({ hostPorts, protocol }: PortWish): string {
  return hostPorts === undefined ? `a dynamic ${protocol} port` : `host port ${formatPortRange(hostPorts)}/${protocol}`;
}
