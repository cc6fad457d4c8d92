/** What was wrong, as a stable code to branch on. */
export type PortErrorCode =
  /** The text has no container port, such as `8080:` or the empty text. */
  | "no-container-port"
  /** The container port is no number in 1-65535 and no rising range of such. */
  | "bad-container-port"
  /** The host port is no number in 0-65535 and no rising range of such. */
  | "bad-host-port"
  /** The host address is no literal IPv4 or IPv6 address. */
  | "bad-host-ip"
  /** The protocol is none of tcp, udp, sctp. */
  | "bad-protocol"
  /** A range of container ports with a host range of another length. */
  | "range-mismatch"
  /** A long form that is not `name=value`, or a compose field nobody knows. */
  | "bad-long-form"
  /** A key of ExposedPorts or PortBindings that names no container port. */
  | "bad-port-key"
  /** Two spellings of one container port in the same map. */
  | "duplicate-port-key"
  /** JSON of the wrong type. */
  | "wrong-type"
  /** Ports and the network mode exclude each other. */
  | "network-mode"
  /** Ports given at start in an API version that takes them at create only. */
  | "ports-at-start";

/** An expected failure of this package: what was wrong, where, and what would be right. */
export interface PortError {
  readonly code: PortErrorCode;
  /** The text that was refused, exactly as given. */
  readonly input: string;
  /** Where in `input` the fault begins, in UTF-16 units from 0. */
  readonly position: number;
  /** Where in the request the input stood, such as `HostConfig.PortBindings["80/tcp"][0].HostIp`; empty for bare text. */
  readonly path: string;
  /** What would have been right. */
  readonly expected: string;
  /** The message Docker gives; where only Berth refuses, one in Docker's words that names field and value. */
  readonly message: string;
}
