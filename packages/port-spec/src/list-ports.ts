import type { PortAssignment } from "./allocate.ts";
import { type PortKey, parsePortKey } from "./port-key.ts";
import { PROTOCOLS, type Protocol } from "./protocol.ts";

/** One entry of `Ports` in `GET /containers/json`. An unpublished port has neither `IP` nor `PublicPort`. */
export interface ListedPort {
  readonly IP?: string;
  readonly PrivatePort: number;
  readonly PublicPort?: number;
  readonly Type: Protocol;
}

/**
 * The ports of a running or paused container in `GET /containers/json`: one entry for each address, one without address
 * for each exposed port that is not published. Sorted by container port, protocol, then order of assignment (dockerd
 * gives no order). A container in any other state has none: give it no `exposed` and no `assignments`.
 */
export function listPorts(
  exposed: readonly PortKey[],
  assignments: readonly Omit<PortAssignment<unknown>, "holder">[],
): readonly ListedPort[] {
  const published = assignments.map(({ hostIp, containerPort, hostPort, protocol }) => ({
    IP: hostIp,
    PrivatePort: containerPort,
    PublicPort: hostPort,
    Type: protocol,
  }));
  const keys = new Set(published.map(({ PrivatePort, Type }) => `${PrivatePort}/${Type}`));
  const unpublished = exposed.filter((key) => !keys.has(key)).map(parsePortKey);
  const listed = unpublished.flatMap((key) =>
    key.ok ? [{ PrivatePort: key.value.port, Type: key.value.protocol }] : [],
  );
  return [...published, ...listed].sort(
    (a, b) => a.PrivatePort - b.PrivatePort || PROTOCOLS.indexOf(a.Type) - PROTOCOLS.indexOf(b.Type),
  );
}
