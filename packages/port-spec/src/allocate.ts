import { assignPorts } from "./assign.ts";
import { claimsOf, leasesFor, type PortAssignment, type PortRequest } from "./held-claim.ts";
import type { Leases } from "./leases.ts";
import { conflictAmong, conflictWithRules, type PortConflict } from "./port-conflict.ts";
import type { PortPolicy } from "./port-policy.ts";
import { err, ok, type Result } from "./result.ts";

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
  const inOrder = [...assigned.value].sort(([a], [b]) => a.place - b.place);
  return ok(inOrder.flatMap(([claim, hostPort]) => leasesFor(claim, hostPort)));
}
