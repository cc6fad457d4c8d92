import type { PortAssignment } from "../allocate/port-wish.ts";
import { type PortKey, portOfKey } from "../spec/port-key.ts";
import { PROTOCOLS, type Protocol } from "../spec/protocol.ts";

/** One entry of `Ports` in `GET /containers/json`. An unpublished port has neither `IP` nor `PublicPort`, one without a host port no `PublicPort`. */
export interface ListedPort {
  readonly IP?: string;
  readonly PrivatePort: number;
  readonly PublicPort?: number;
  readonly Type: Protocol;
}

/**
 * The ports of a running or paused container in `GET /containers/json`: one entry for each address, and one without an address
 * for each exposed port that is not published. Sorted by container port, protocol, then order of assignment; dockerd has no
 * fixed order. For a container in any other state, pass no `exposed` and no `assignments`.
 */
export function listPorts(exposed: readonly PortKey[], assignments: readonly PortAssignment[]): readonly ListedPort[] {
  const published = assignments.map(({ hostIp, containerPort, hostPort, protocol }) => ({
    IP: hostIp,
    PrivatePort: containerPort,
    ...(hostPort === 0 ? {} : { PublicPort: hostPort }),
    Type: protocol,
  }));
  const keys = new Set(assignments.map(({ containerPort, protocol }) => `${containerPort}/${protocol}`));
  const unpublished = exposed
    .filter((key) => !keys.has(key))
    .map((key) => ({ PrivatePort: portOfKey(key).port, Type: portOfKey(key).protocol }));
  return [...published, ...unpublished].sort(
    (a, b) => a.PrivatePort - b.PrivatePort || PROTOCOLS.indexOf(a.Type) - PROTOCOLS.indexOf(b.Type),
  );
}
