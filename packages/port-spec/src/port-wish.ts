import type { PortRange } from "./port-range.ts";
import type { Protocol } from "./protocol.ts";

/** One binding a container wants at start, checked and canonical. */
export interface PortWish {
  /** The container's port, 1 to 65535. */
  readonly containerPort: number;
  readonly protocol: Protocol;
  /** A canonical address, or empty for the policy's {@link PortPolicy.anyAddress}. */
  readonly hostIp: string;
  /** One port, a pool to take one from, or `undefined` for a dynamic port. Never holds port 0. */
  readonly hostPorts: PortRange | undefined;
  /** Taken where it is free and allowed: the port held last time, for a dynamic wish or a pool. Best effort. */
  readonly preferred?: number;
}
