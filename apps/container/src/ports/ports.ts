import type { IpFamily, PortAssignment, PortSet, PortWish, Protocol } from "@berth/port-spec";
import type { ContainerId } from "../engine/ids.ts";
import type { ContainerHolder } from "./lease-store.ts";
import type { ProcessPort } from "./process-ports.ts";
import type { Reservation, ReservationRequest } from "./reservation.ts";

export interface LeaseRequest {
  readonly containerId: ContainerId;
  /** The container's name, for the messages of conflicts with this lease. */
  readonly containerName: string;
  /** The owner's directory id; messages to the owner name the container. */
  readonly owner: string | undefined;
  readonly wishes: readonly PortWish[];
  /** As in {@link PortTarget}. */
  readonly routed?: readonly IpFamily[];
  /** The host ports that the owner's constraints permit, by protocol; undefined without a constraint. */
  readonly permitted?: Readonly<Record<Protocol, PortSet>>;
  /** The ids of the owner's groups, whose reservations it may use; undefined where nobody was asked. */
  readonly groups?: ReadonlySet<string>;
}

/** A port of a container that others reach at the container's own address, without a port of the host. */
export interface OpenedPort {
  readonly address: string;
  readonly containerPort: number;
  readonly protocol: Protocol;
}

/** Where a container's published ports lead: its address in each family, of which it has one at least. */
export interface PortTarget {
  readonly ipv4: string | undefined;
  readonly ipv6: string | undefined;
  /** The families whose ports are opened at the container's own address, and take no port of the host; none where absent. */
  readonly routed?: readonly IpFamily[];
  /** Its ports in those families. */
  readonly opened?: readonly OpenedPort[];
}

/**
 * The host's ports: leases, and the forwarding to containers.
 * A lease is a row, then a listening socket that reserves the port; publishing adds the forwarding.
 */
export interface Ports {
  /**
   * Takes a lease for every wish, all or nothing. Dynamic and range wishes skip ports that other programs hold.
   * Throws `failed` with Docker's `Bind for IP:PORT failed: port is already allocated` and the holder, if known.
   */
  lease(request: LeaseRequest): Promise<readonly PortAssignment[]>;
  /** What {@link lease} would assign now, by what is known without trying: it takes nothing. Throws as that does. */
  foresee(request: LeaseRequest): Promise<readonly PortAssignment[]>;
  /**
   * Forwards every leased port of the container to its address, in one nftables transaction: to that of the port's family, or where it has
   * none, through the held socket to the other one. Opens the target's opened ports.
   */
  publish(containerId: ContainerId, target: PortTarget): Promise<void>;
  /** Removes forwarding, sockets and rows. Settles when the ports are free. Idempotent. */
  release(containerId: ContainerId): Promise<void>;
  rename(containerId: ContainerId, name: string): void;
  /**
   * The container's assignments, without ports that are unreachable because another program has taken them. An opened port has the host
   * port 0.
   */
  assignments(containerId: ContainerId): readonly PortAssignment[];
  /** After a restart of the service: binds and publishes the leases of running containers, and drops all others. */
  recover(running: ReadonlyMap<ContainerId, PortTarget | undefined>): Promise<void>;
  close(): Promise<void>;
}

/** A lease with what holds it. */
export interface HeldLease extends PortAssignment {
  readonly holder: ContainerHolder;
}

/** Who holds and who reserves the host's ports. */
export interface PortBook {
  leases(): readonly HeldLease[];
  /** What other programs of the host have open. The program of one that is new may be unknown for minutes on a busy host. */
  processPorts(): Promise<readonly ProcessPort[]>;
  reservations(): readonly Reservation[];
  /**
   * Keeps host ports for a user or a group. Throws `conflict` if somebody else holds or reserves one of them, and `invalid` for an address
   * that the host does not have.
   */
  reserve(request: ReservationRequest): Promise<Reservation>;
  /** Gives a reservation up; what holds the ports keeps them. Throws `not-found`. */
  unreserve(id: string): Promise<void>;
}
