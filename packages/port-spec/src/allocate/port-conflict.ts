import { formatPortRange } from "../spec/port-range.ts";
import { formatPortSet, portSetIsEmpty } from "../spec/port-set.ts";
import { endpointsOverlap, findOverlap, type Lease, type Leases } from "./leases.ts";
import { assignmentsFor, fixedPort, type OpenWish } from "./open-wish.ts";
import type { PortPolicy } from "./port-policy.ts";
import type { PortWish } from "./port-wish.ts";

/** Why no assignment exists. */
export interface PortConflict<H> {
  readonly code:
    | /** The only port that would do is held. */ "port-taken"
    | /** The only port that would do is reserved for another holder. */ "port-reserved"
    | /** The policy permits none of the requested ports. */ "port-not-permitted"
    | /** No port of the pool or of the dynamic range is left. */ "ports-exhausted";
  /** Whose wish failed. */
  readonly holder: H;
  readonly wish: PortWish;
  /** The address that cannot be bound; for an empty HostIp, the first of its addresses that is blocked. */
  readonly hostIp: string;
  /** The lease or reservation that blocks a fixed port. It has the same holder where two wishes of one holder collide. */
  readonly lease: Lease<H> | undefined;
  /** What dockerd says after `driver failed programming external connectivity on endpoint ...: `. */
  readonly message: string;
}

/** Why the wish fails whatever else is requested; `undefined` where it does not. */
export function conflictWithRules<H>(
  open: OpenWish<H>,
  taken: Leases<H>,
  policy: PortPolicy<H>,
): PortConflict<H> | undefined {
  const { wish, scope, candidates } = open;
  const { protocol } = wish;
  if (portSetIsEmpty(candidates)) {
    const permitted = formatPortSet(policy.permitted?.[protocol] ?? policy.dynamic) || "none";
    return conflictOf(open, "port-not-permitted", `${describe(wish)} is not permitted; permitted: ${permitted}`);
  }
  const hostPort = fixedPort(open);
  if (hostPort === undefined) return undefined;
  for (const hostIp of scope.addresses) {
    const lease = findOverlap(taken, { hostIp, hostPort, protocol });
    if (lease !== undefined) return takenBy(open, hostIp, lease);
    const reservation = policy.reservations && findOverlap(policy.reservations, { hostIp, hostPort, protocol });
    if (reservation !== undefined) {
      const message = `Bind for ${hostIp}:${hostPort} failed: port is reserved`;
      return { ...conflictOf(open, "port-reserved", message), hostIp, lease: reservation };
    }
  }
  return undefined;
}

/** Why the wish got no port although it would get one alone. */
export function conflictAmong<H>(open: OpenWish<H>, wishes: readonly OpenWish<H>[]): PortConflict<H> {
  const own = fixedLeases(open);
  // Fixed ports are assigned in order, so the wish that blocks this one comes before it.
  for (const lease of wishes.slice(0, open.position).flatMap(fixedLeases)) {
    const blocked = own.find((endpoint) => endpointsOverlap(endpoint, lease));
    if (blocked !== undefined) return takenBy(open, blocked.hostIp, lease);
  }
  const [hostIp = ""] = open.scope.addresses;
  const range = formatPortSet(open.candidates);
  return conflictOf(open, "ports-exhausted", `Bind for ${hostIp}:${range} failed: all ports are allocated`);
}

/** The leases that a wish for a fixed port would get; none for any other. */
function fixedLeases<H>(open: OpenWish<H>): readonly Lease<H>[] {
  const port = fixedPort(open);
  return port === undefined ? [] : assignmentsFor(open, port);
}

function takenBy<H>(open: OpenWish<H>, hostIp: string, lease: Lease<H>): PortConflict<H> {
  const message = `Bind for ${hostIp}:${lease.hostPort} failed: port is already allocated`;
  return { ...conflictOf(open, "port-taken", message), hostIp, lease };
}

function conflictOf<H>(
  { holder, wish, scope }: OpenWish<H>,
  code: PortConflict<H>["code"],
  message: string,
): PortConflict<H> {
  const [hostIp = ""] = scope.addresses;
  return { code, holder, wish, hostIp, lease: undefined, message };
}

function describe({ hostPorts, protocol }: PortWish): string {
  return hostPorts === undefined ? `a dynamic ${protocol} port` : `host port ${formatPortRange(hostPorts)}/${protocol}`;
}
