import type { Claim } from "./claim.ts";
import { type Lease, type Leases, NO_LEASES } from "./leases.ts";
import type { PortPolicy } from "./port-policy.ts";
import {
  ALL_PORTS,
  NO_PORTS,
  type PortSet,
  portSet,
  portSetIntersect,
  portSetSize,
  portSetSubtract,
} from "./port-set.ts";
import type { PortWish } from "./port-wish.ts";
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

/** A wish as the search sees it, with whose it is. */
export interface HeldClaim<H> extends Claim {
  readonly holder: H;
  readonly wish: PortWish;
  /** Its place in the order of requests and wishes. */
  readonly place: number;
}

/** Every wish of every request as a claim, in order; wishes for the same addresses share a scope. */
export function claimsOf<H>(
  requests: readonly PortRequest<H>[],
  taken: Leases<H>,
  policy: PortPolicy<H>,
): HeldClaim<H>[] {
  const scopes = new Map<string, Scope>();
  const dynamic = portSetSubtract(policy.dynamic, policy.reserved ?? NO_PORTS);
  const wishes = requests.flatMap(({ holder, wishes }) => wishes.map((wish) => ({ holder, wish })));
  return wishes.map(({ holder, wish }, place) => {
    const key = `${wish.protocol} ${wish.hostIp}`;
    const addresses = wish.hostIp === "" ? policy.anyAddress : [wish.hostIp];
    const scope = scopes.get(key) ?? scopeOf(wish.protocol, addresses, [taken, policy.reservations ?? NO_LEASES]);
    scopes.set(key, scope);
    const wanted = wish.hostPorts === undefined ? dynamic : portSet(wish.hostPorts);
    const candidates = portSetIntersect(wanted, policy.permitted?.[wish.protocol] ?? ALL_PORTS);
    const from = wish.hostPorts === undefined ? nthPort(candidates, policy.seed ?? 0) : 0;
    return { holder, wish, place, scope, candidates, from, preferred: wish.preferred };
  });
}

/** The port at a place in the set, counted from 0 and modulo its size; 0 for the empty set. */
function nthPort(set: PortSet, place: number): number {
  const size = portSetSize(set);
  let left = ((place % size) + size) % size;
  for (const { start, end } of set.ranges) {
    if (left <= end - start) return start + left;
    left -= end - start + 1;
  }
  return 0;
}

/** The assignments that a claim gets with a host port: one for each of its addresses. */
export function leasesFor<H>({ holder, wish, scope }: HeldClaim<H>, hostPort: number): PortAssignment<H>[] {
  const { protocol, containerPort } = wish;
  return scope.addresses.map((hostIp) => ({ hostIp, hostPort, protocol, containerPort, holder }));
}
