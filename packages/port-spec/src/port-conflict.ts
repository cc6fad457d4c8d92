import { type HeldClaim, leasesFor } from "./held-claim.ts";
import { endpointsOverlap, findOverlap, type Lease, type Leases } from "./leases.ts";
import type { PortPolicy } from "./port-policy.ts";
import { formatPortRange } from "./port-range.ts";
import { formatPortSet, portSetIsEmpty, portSetSize } from "./port-set.ts";
import type { PortWish } from "./port-wish.ts";

/** Why no assignment exists. */
export interface PortConflict<H> {
  readonly code:
    | /** The one port that would do is held. */ "port-taken"
    | /** The one port that would do is reserved for another. */ "port-reserved"
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

/** What speaks against the claim whatever else is asked for. */
export function conflictWithRules<H>(
  claim: HeldClaim<H>,
  taken: Leases<H>,
  policy: PortPolicy<H>,
): PortConflict<H> | undefined {
  const { wish, scope, candidates } = claim;
  if (portSetIsEmpty(candidates)) {
    const permitted = policy.permitted?.[wish.protocol] ?? policy.dynamic;
    const message = `${askedFor(wish)} is not permitted: permitted are ${formatPortSet(permitted) || "no ports"}`;
    return conflictOf(claim, "port-not-permitted", message);
  }
  const port = onlyPort(claim);
  if (port === undefined) return undefined;
  for (const hostIp of scope.addresses) {
    const endpoint = { hostIp, hostPort: port, protocol: wish.protocol };
    const lease = findOverlap(taken, endpoint);
    if (lease !== undefined) return takenBy(claim, hostIp, lease);
    const reservation = policy.reservations && findOverlap(policy.reservations, endpoint);
    if (reservation !== undefined) {
      const message = `Bind for ${hostIp}:${port} failed: port is reserved`;
      return { ...conflictOf(claim, "port-reserved", message), hostIp, lease: reservation };
    }
  }
  return undefined;
}

/** Why the claim got nothing although nothing speaks against it alone. */
export function conflictAmong<H>(claim: HeldClaim<H>, claims: readonly HeldClaim<H>[]): PortConflict<H> {
  const mine = fixedLeases(claim);
  // Claims of one port are settled in order, so what is in the way of this one comes before it.
  for (const lease of claims.slice(0, claim.place).flatMap(fixedLeases)) {
    const blocked = mine.find((endpoint) => endpointsOverlap(endpoint, lease));
    if (blocked !== undefined) return takenBy(claim, blocked.hostIp, lease);
  }
  const conflict = conflictOf(claim, "ports-exhausted", "");
  const range = formatPortSet(claim.candidates);
  return { ...conflict, message: `Bind for ${conflict.hostIp}:${range} failed: all ports are allocated` };
}

/** The leases that a claim would get where only one port would do for it; else none. */
function fixedLeases<H>(claim: HeldClaim<H>): readonly Lease<H>[] {
  const port = onlyPort(claim);
  return port === undefined ? [] : leasesFor(claim, port);
}

function takenBy<H>(claim: HeldClaim<H>, hostIp: string, lease: Lease<H>): PortConflict<H> {
  const message = `Bind for ${hostIp}:${lease.hostPort} failed: port is already allocated`;
  return { ...conflictOf(claim, "port-taken", message), hostIp, lease };
}

function conflictOf<H>(
  { holder, wish, scope }: HeldClaim<H>,
  code: PortConflict<H>["code"],
  message: string,
): PortConflict<H> {
  const [hostIp = ""] = scope.addresses;
  return { code, holder, wish, hostIp, lease: undefined, message };
}

/** The port of a claim that only one port would do for. */
function onlyPort({ candidates }: HeldClaim<unknown>): number | undefined {
  return portSetSize(candidates) === 1 ? candidates.ranges[0]?.start : undefined;
}

function askedFor({ hostPorts, protocol }: PortWish): string {
  return hostPorts === undefined ? `a dynamic ${protocol} port` : `host port ${formatPortRange(hostPorts)}/${protocol}`;
}
