import { type PortSet, portSet } from "../spec/port-set.ts";
import type { Protocol } from "../spec/protocol.ts";
import type { Leases } from "./leases.ts";

/** What the host and its rules allow. */
export interface PortPolicy<H> {
  /** The addresses that an empty HostIp stands for; all get the same port. `["0.0.0.0"]` on a host without IPv6. Never empty. */
  readonly anyAddress: readonly string[];
  /** Where dynamic ports come from: the kernel's `ip_local_port_range` unless configured. */
  readonly dynamic: PortSet;
  /** Never picked for a dynamic wish, but available on request: the kernel's `ip_local_reserved_ports`. Default: none. */
  readonly reserved?: PortSet | undefined;
  /** The host ports that the requester may use, by protocol. Default: all. */
  readonly permitted?: Readonly<Record<Protocol, PortSet>> | undefined;
  /** Reservations of other holders, which exclude a port as leases do. Default: none. */
  readonly reservations?: Leases<H> | undefined;
  /**
   * Where in the dynamic range the search starts, as an index modulo its size. Default: 0, its first port. To continue after
   * the last pick, as dockerd does, pass the index of that pick plus one.
   */
  readonly seed?: number | undefined;
}

/** The policy of an unconfigured host: Linux's own dynamic range, both families, no limits. */
export const DEFAULT_PORT_POLICY: PortPolicy<never> = {
  anyAddress: ["0.0.0.0", "::"],
  dynamic: portSet({ start: 32_768, end: 60_999 }),
};
