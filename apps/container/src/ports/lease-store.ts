import type { PortAssignment } from "@berth/port-spec";
import type { ContainerId } from "../engine/ids.ts";
import type { Reservation } from "./reservation.ts";

/** Who holds or reserves a host port. */
export type Holder =
  | {
      readonly kind: "container";
      readonly containerId: ContainerId;
      readonly containerName: string;
      readonly owner: string | undefined;
      /** When the lease was taken: RFC 3339, UTC. */
      readonly since: string;
    }
  | { readonly kind: "reservation"; readonly reservation: Reservation }
  /** Another program; undefined if it was not found. */
  | { readonly kind: "process"; readonly pid: number | undefined; readonly command: string | undefined };

export type ContainerHolder = Extract<Holder, { kind: "container" }>;

/** A lease as stored. */
export interface StoredLease extends PortAssignment {
  readonly holder: ContainerHolder;
}

/** The leases that survive a crash. */
export interface LeaseStore {
  load(): Promise<readonly StoredLease[]>;
  /**
   * Writes the leases of one container in one statement. If other leases conflict, writes none and returns the conflicting ones.
   */
  insert(containerId: ContainerId, assignments: readonly PortAssignment[]): Promise<readonly StoredLease[]>;
  delete(containerIds: readonly ContainerId[]): Promise<void>;
}
