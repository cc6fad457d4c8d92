import { PROTOCOLS } from "../spec/protocol.ts";
import { eachLease, type Lease, type Leases, NO_LEASES } from "./leases.ts";

/** A host port on one address that somebody holds or reserves. */
export interface PortHolder<H> extends Lease<H> {
  readonly kind: "lease" | "reservation";
}

/**
 * Lists who holds or reserves which port on which address: what {@link allocate} avoids, in the order of port, protocol and
 * address. A port that is both held and reserved has its lease first.
 *
 * @example
 * ```ts
 * const reserved = leasesOf([{ hostIp: "0.0.0.0", hostPort: 8080, protocol: "tcp", holder: "ann" }]);
 * portHolders(NO_LEASES, reserved);
 * // => [{ hostIp: "0.0.0.0", hostPort: 8080, protocol: "tcp", holder: "ann", kind: "reservation" }]
 * ```
 */
export function portHolders<H>(taken: Leases<H>, reservations: Leases<H> = NO_LEASES): readonly PortHolder<H>[] {
  const held = [...eachLease(taken)].map((lease) => ({ ...lease, kind: "lease" as const }));
  const reserved = [...eachLease(reservations)].map((lease) => ({ ...lease, kind: "reservation" as const }));
  return [...held, ...reserved].sort(
    (a, b) =>
      a.hostPort - b.hostPort ||
      PROTOCOLS.indexOf(a.protocol) - PROTOCOLS.indexOf(b.protocol) ||
      compareText(a.hostIp, b.hostIp),
  );
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
