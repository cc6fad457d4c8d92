import { err, ok, type Result } from "../spec/result.ts";
import { assignPorts } from "./assign.ts";
import type { Lease, Leases } from "./leases.ts";
import { assignmentsFor, openWishes } from "./open-wish.ts";
import { conflictAmong, conflictWithRules, type PortConflict } from "./port-conflict.ts";
import type { PortPolicy } from "./port-policy.ts";
import type { PortAssignment, PortWishes } from "./port-wish.ts";

/**
 * Assigns a host port to every wish, or to none. Pure: equal arguments give equal results.
 *
 * Fixed ports are assigned first. A pool gets the first free port of its range, a dynamic wish the first free port from the
 * seed on; either moves aside only where another wish would otherwise fail.
 *
 * If another process turns out to hold a port, add a lease for it to `taken` and call again: pools and dynamic wishes move
 * on, and a fixed port fails with a conflict that names that lease.
 *
 * @example
 * ```ts
 * const wish = { containerPort: 80, protocol: "tcp", hostIp: "127.0.0.1", hostPorts: { start: 8000, end: 8009 } } as const;
 * const taken = leasesOf([{ hostIp: "0.0.0.0", hostPort: 8000, protocol: "tcp", holder: "db" }]);
 * allocate([{ holder: "web", wishes: [wish] }], taken, DEFAULT_PORT_POLICY);
 * // => { ok: true, value: [{ hostIp: "127.0.0.1", hostPort: 8001, protocol: "tcp", containerPort: 80, holder: "web" }] }
 * ```
 *
 * @param requests the wishes of each container to start.
 * @param taken every lease of the host.
 * @param policy what the host and its rules allow.
 * @returns the assignments in the order of requests and wishes, one for each address, or the reason why none exists. The
 * search is bounded only for more than 64 pools and dynamic wishes that mix wildcard and specific addresses or use a dynamic
 * range with holes; everywhere else it fails only where no assignment exists.
 */
export function allocate<H>(
  requests: readonly PortWishes<H>[],
  taken: Leases<H>,
  policy: PortPolicy<H>,
): Result<readonly (PortAssignment & Lease<H>)[], PortConflict<H>> {
  const wishes = openWishes(requests, taken, policy);
  for (const wish of wishes) {
    const conflict = conflictWithRules(wish, taken, policy);
    if (conflict !== undefined) return err(conflict);
  }
  const assigned = assignPorts(wishes);
  if (!assigned.ok) return err(conflictAmong(assigned.error, wishes));
  const inOrder = [...assigned.value].sort(([a], [b]) => a.position - b.position);
  return ok(inOrder.flatMap(([wish, hostPort]) => assignmentsFor(wish, hostPort)));
}
