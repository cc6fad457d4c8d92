import type { PortRange, Protocol } from "@berth/port-spec";

/** The user or group of the directory, or the place on this host, that ports are reserved for. */
export interface Claimant {
  readonly kind: "user" | "group" | "place";
  /** A place's is the owner of what is in it. */
  readonly id: string;
  /** The login or the name at the time of the reservation, for messages. */
  readonly name: string;
}

/** What to reserve. An empty `hostIp` stands for every address, as in a port binding. */
export interface ReservationRequest {
  readonly hostIp: string;
  readonly hostPorts: PortRange;
  readonly protocol: Protocol;
  readonly claimant: Claimant;
}

/** Host ports that only the containers of one user, or of a group's members, get. It grants nobody a port that constraints refuse. */
export interface Reservation extends ReservationRequest {
  readonly id: string;
  /** When it was made: RFC 3339, UTC. */
  readonly since: string;
}

/** The reservations that survive a restart. */
export interface ReservationStore {
  load(): Promise<readonly Reservation[]>;
  insert(reservation: Reservation): Promise<void>;
  delete(id: string): Promise<void>;
}
