import type { PortRange } from "../spec/port-range.ts";
import type { Protocol } from "../spec/protocol.ts";
import type { HostEndpoint } from "./leases.ts";

/** One binding that a container needs at start, validated and canonical. */
export interface PortWish {
  /** The container's port, 1 to 65535. */
  readonly containerPort: number;
  readonly protocol: Protocol;
  /** A canonical address, or empty for the policy's {@link PortPolicy.anyAddress}. */
  readonly hostIp: string;
  /** One port, a pool to pick one port from, or `undefined` for a dynamic port. Never contains port 0. */
  readonly hostPorts: PortRange | undefined;
  /** Picked if it is free and permitted: the port of the last run, for a pool or a dynamic wish. Best effort. */
  readonly preferred?: number;
}

/** The wishes of one container. */
export interface PortWishes<H> {
  /** Who will hold the leases: the caller's own value, copied into each assignment. */
  readonly holder: H;
  readonly wishes: readonly PortWish[];
}

/** A host port assigned to a container port. */
export interface PortAssignment extends HostEndpoint {
  readonly containerPort: number;
}
