import type { PortAssignment, PortSet, PortWish, Protocol } from "@berth/port-spec";
import type { ContainerId } from "../engine/ids.ts";

export interface LeaseRequest {
  readonly containerId: ContainerId;
  /** For the message of whoever meets this lease: the container's name. */
  readonly containerName: string;
  /** The owner's directory id: a reservation of its own is free to it. */
  readonly owner: string | undefined;
  readonly wishes: readonly PortWish[];
  /** The host ports that the owner's constraints permit, by protocol; undefined where no constraint speaks. */
  readonly permitted?: Readonly<Record<Protocol, PortSet>>;
}

/**
 * The host's ports: who holds which, and the way from the host to the container.
 * A lease is a row first, then a listening socket that keeps every other process off the port; publishing adds the path.
 */
export interface Ports {
  /**
   * Takes a lease for every wish, all or nothing; dynamic and range wishes move on past ports that foreign processes hold.
   * Throws `failed` with Docker's `Bind for IP:PORT failed: port is already allocated` and the holder as far as known.
   */
  lease(request: LeaseRequest): Promise<readonly PortAssignment[]>;
  /** Opens the path from every leased host port of the container to `address`; one nftables transaction. */
  publish(containerId: ContainerId, address: string): Promise<void>;
  /** Closes the paths, the sockets and the rows. Settles when the port is free for anyone. Idempotent. */
  release(containerId: ContainerId): Promise<void>;
  rename(containerId: ContainerId, name: string): void;
  /** What is published, or about to be; not what another program has taken meanwhile and nothing leads past it. */
  assignments(containerId: ContainerId): readonly PortAssignment[];
  /** After a start of ours: holds the leases of running containers again, publishes them, and drops every other lease and path. */
  recover(running: ReadonlyMap<ContainerId, { readonly address: string | undefined }>): Promise<void>;
  close(): Promise<void>;
}
