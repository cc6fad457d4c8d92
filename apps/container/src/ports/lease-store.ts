import type { PortAssignment } from "@berth/port-spec";
import type { ContainerId } from "../engine/ids.ts";

/** Who has a host port, as far as Berth knows. */
export type Holder =
  | {
      readonly kind: "container";
      readonly containerId: ContainerId;
      readonly containerName: string;
      readonly owner: string | undefined;
    }
  /** Another program; undefined where it could not be found. */
  | { readonly kind: "process"; readonly pid: number | undefined; readonly command: string | undefined };

export type ContainerHolder = Extract<Holder, { kind: "container" }>;

/** A lease as it is kept. */
export interface StoredLease extends PortAssignment {
  readonly holder: ContainerHolder;
}

/** The leases that survive a crash. */
export interface LeaseStore {
  load(): Promise<readonly StoredLease[]>;
  /**
   * Writes the leases of one container in one statement. Writes none where another lease excludes one of them, and gives those
   * that do.
   */
  insert(containerId: ContainerId, assignments: readonly PortAssignment[]): Promise<readonly StoredLease[]>;
  delete(containerIds: readonly ContainerId[]): Promise<void>;
}
