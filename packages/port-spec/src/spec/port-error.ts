/** What is wrong, as a stable code for programs. */
export type PortErrorCode =
  /** The text has no container port, such as `8080:` or the empty text. */
  | "no-container-port"
  /** The container port is neither a number from 1 to 65535 nor an ascending range. */
  | "bad-container-port"
  /** The host port is neither a number from 0 to 65535 nor an ascending range. */
  | "bad-host-port"
  /** The host address is not a literal IPv4 or IPv6 address. */
  | "bad-host-ip"
  /** The protocol is not tcp, udp or sctp. */
  | "bad-protocol"
  /** The ranges of container ports and host ports differ in length. */
  | "range-mismatch"
  /** A long form that is not `name=value`, or an unknown compose field or value. */
  | "bad-long-form"
  /** A key of ExposedPorts or PortBindings is not a container port. */
  | "bad-port-key"
  /** Two keys of the same map name the same container port. */
  | "duplicate-port-key"
  /** A JSON value has the wrong type. */
  | "wrong-type"
  /** The network mode does not allow ports. */
  | "network-mode"
  /** The start request names ports in an API version that accepts them at create only. */
  | "ports-at-start";

/** An expected failure of this package: what is wrong, where, and what is expected. */
export interface PortError {
  readonly code: PortErrorCode;
  /** The invalid text, exactly as given. */
  readonly input: string;
  /** Where in `input` the error starts, in UTF-16 units from 0. */
  readonly position: number;
  /** Where in the request the input stands, such as `HostConfig.PortBindings["80/tcp"][0].HostIp`; empty for bare text. */
  readonly path: string;
  /** What would be valid. */
  readonly expected: string;
  /** Docker's message; where only Berth rejects the input, a message in the same style that names field and value. */
  readonly message: string;
}
