import type { Leases } from "./leases.ts";
import { type PortSet, portSet } from "./port-set.ts";
import type { Protocol } from "./protocol.ts";

/** What the host and its rules allow. */
export interface PortPolicy<H> {
  /** The addresses an empty HostIp stands for; all get the same port. `["0.0.0.0"]` on a host without IPv6. Never empty. */
  readonly anyAddress: readonly string[];
  /** Where dynamic ports come from: the kernel's `ip_local_port_range` unless configured. */
  readonly dynamic: PortSet;
  /** Never picked for a dynamic wish, yet free to be asked for: the kernel's `ip_local_reserved_ports`. Default none. */
  readonly reserved?: PortSet | undefined;
  /** The host ports the asker may have, per protocol. Default all. */
  readonly permitted?: Readonly<Record<Protocol, PortSet>> | undefined;
  /** Reservations of others, which refuse as leases do. Default none. */
  readonly reservations?: Leases<H> | undefined;
  /**
   * Where in the dynamic range the search begins, counted in ports and taken modulo its size. Default 0, its first port. To
   * go on after the last pick, as dockerd does, give that pick's place plus one.
   */
  readonly seed?: number | undefined;
}

/** The policy of a host that nobody has configured: Linux's own dynamic range, both families, no limits. */
export const DEFAULT_PORT_POLICY: PortPolicy<never> = {
  anyAddress: ["0.0.0.0", "::"],
  dynamic: portSet({ start: 32_768, end: 60_999 }),
};
