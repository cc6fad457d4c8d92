import {
  ALL_PORTS,
  NO_PORTS,
  type PortSet,
  portSet,
  portSetIntersect,
  portSetSize,
  portSetSubtract,
} from "../spec/port-set.ts";
import { type Lease, type Leases, NO_LEASES } from "./leases.ts";
import type { PortPolicy } from "./port-policy.ts";
import type { PortAssignment, PortWish, PortWishes } from "./port-wish.ts";
import { type Scope, scopeOf } from "./scope.ts";

/** A wish that has no port yet, with the ports it may get. */
export interface OpenWish<H> {
  readonly holder: H;
  readonly wish: PortWish;
  /** Its position in the order of the arguments. */
  readonly position: number;
  readonly scope: Scope;
  /** The ports that are both requested and permitted; a single one for a fixed port. */
  readonly candidates: PortSet;
  /** The candidate to try first; the search wraps around. */
  readonly from: number;
}

/** Opens every wish, in order. Wishes with equal protocol and address share a scope. */
export function openWishes<H>(
  requests: readonly PortWishes<H>[],
  taken: Leases<H>,
  policy: PortPolicy<H>,
): readonly OpenWish<H>[] {
  const scopes = new Map<string, Scope>();
  const dynamic = portSetSubtract(policy.dynamic, policy.reserved ?? NO_PORTS);
  const wishes = requests.flatMap(({ holder, wishes }) => wishes.map((wish) => ({ holder, wish })));
  return wishes.map(({ holder, wish }, position) => {
    const { protocol, hostIp, hostPorts } = wish;
    const key = `${protocol} ${hostIp}`;
    const addresses = hostIp === "" ? policy.anyAddress : [hostIp];
    const scope = scopes.get(key) ?? scopeOf(protocol, addresses, [taken, policy.reservations ?? NO_LEASES]);
    scopes.set(key, scope);
    const requested = hostPorts === undefined ? dynamic : portSet(hostPorts);
    const candidates = portSetIntersect(requested, policy.permitted?.[protocol] ?? ALL_PORTS);
    const from = hostPorts === undefined ? nthPort(candidates, policy.seed ?? 0) : 0;
    return { holder, wish, position, scope, candidates, from };
  });
}

/** The only port that would do; `undefined` where there are several. */
export function fixedPort({ candidates }: OpenWish<unknown>): number | undefined {
  return portSetSize(candidates) === 1 ? candidates.ranges[0]?.start : undefined;
}

/** The assignments that the wish gets with a host port: one for each of its addresses. */
export function assignmentsFor<H>(
  { holder, wish, scope }: OpenWish<H>,
  hostPort: number,
): readonly (PortAssignment & Lease<H>)[] {
  const { protocol, containerPort } = wish;
  return scope.addresses.map((hostIp) => ({ hostIp, hostPort, protocol, containerPort, holder }));
}

/** The port at an index of the set, counted from 0 and modulo its size; 0 for the empty set. */
function nthPort(set: PortSet, index: number): number {
  const size = portSetSize(set);
  let left = ((index % size) + size) % size;
  for (const { start, end } of set.ranges) {
    if (left <= end - start) return start + left;
    left -= end - start + 1;
  }
  return 0;
}
