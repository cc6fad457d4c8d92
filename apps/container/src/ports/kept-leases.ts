import type { PortAssignment } from "@berth/port-spec";
import type { ContainerId } from "../engine/ids.ts";
import type { ContainerHolder, StoredLease } from "./lease-store.ts";

interface KeptLeases {
  readonly holder: ContainerHolder;
  readonly assignments: PortAssignment[];
}

/** The stored leases of running containers, and the ids of the containers that are gone. */
export function sortLeases(
  stored: readonly StoredLease[],
  running: ReadonlySet<ContainerId>,
): { readonly kept: ReadonlyMap<ContainerId, KeptLeases>; readonly gone: readonly ContainerId[] } {
  const gone = new Set<ContainerId>();
  const kept = new Map<ContainerId, KeptLeases>();
  for (const { holder, ...assignment } of stored) {
    const ports = kept.get(holder.containerId);
    if (!running.has(holder.containerId)) gone.add(holder.containerId);
    else if (ports === undefined) kept.set(holder.containerId, { holder, assignments: [assignment] });
    else ports.assignments.push(assignment);
  }
  return { kept, gone: [...gone] };
}
