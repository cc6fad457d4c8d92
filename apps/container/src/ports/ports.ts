import type { PortAssignment, PortSet, PortWish, Protocol } from "@berth/port-spec";
import type { ContainerId } from "../engine/ids.ts";

export interface LeaseRequest {
  readonly containerId: ContainerId;
  /** The container's name, for the messages of conflicts with this lease. */
  readonly containerName: string;
  /** The owner's directory id; messages to the owner name the container. */
  readonly owner: string | undefined;
  readonly wishes: readonly PortWish[];
  /** The host ports that the owner's constraints permit, by protocol; undefined without a constraint. */
  readonly permitted?: Readonly<Record<Protocol, PortSet>>;
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
  /** Forwards every leased port of the container to `address`, in one nftables transaction. */
  publish(containerId: ContainerId, address: string): Promise<void>;
  /** Removes forwarding, sockets and rows. Settles when the ports are free. Idempotent. */
  release(containerId: ContainerId): Promise<void>;
  rename(containerId: ContainerId, name: string): void;
  /** The container's assignments, without ports that are unreachable because another program has taken them. */
  assignments(containerId: ContainerId): readonly PortAssignment[];
  /** After a restart of the service: binds and publishes the leases of running containers, and drops all others. */
  recover(running: ReadonlyMap<ContainerId, { readonly address: string | undefined }>): Promise<void>;
  close(): Promise<void>;
}
