import type { PortAssignment } from "../allocate/port-wish.ts";
import type { PortBinding } from "../spec/bindings.ts";
import { formatPortKey, type PortKey } from "../spec/port-key.ts";
import { compareApiVersions } from "./api-version.ts";

/** `NetworkSettings.Ports`; `null` for a port that is exposed and not published. */
export type InspectPorts = Readonly<Record<PortKey, readonly PortBinding[] | null>>;

/** The fields of `NetworkSettings` that concern ports; spread them into the rest. */
export interface InspectPortSettings {
  readonly Ports: InspectPorts | null;
  /** Null at every version: its data moved to `Ports` long ago, and some clients read it. */
  readonly PortMapping: null;
}

/** What inspect needs to know of a container. */
export interface InspectedPorts {
  /** `State.Status`, such as `created` or `running`. */
  readonly status: string;
  /** The container ports to show, published or not: {@link ResolvedPorts.exposed}. */
  readonly exposed: readonly PortKey[];
  /** The published ports, in the order of assignment; host port 0 is one that is open at the container's own address. */
  readonly assignments: readonly PortAssignment[];
  /** The API version of the request, such as `1.41`. */
  readonly apiVersion: string;
}

/** The statuses in which a container has host ports. */
const PUBLISHED_STATUSES: ReadonlySet<string> = new Set(["running", "paused"]);

/**
 * The ports of `GET /containers/{id}/json`. They are empty unless the container is running or paused; below API 1.21 they are
 * `null` instead of empty. `PortMapping` is always `null`.
 *
 * @example
 * ```ts
 * const assignments = [{ hostIp: "0.0.0.0", hostPort: 8080, containerPort: 80, protocol: "tcp" as const }];
 * inspectPorts({ status: "running", exposed: ["80/tcp", "53/udp"], assignments, apiVersion: "1.41" });
 * // => { Ports: { "80/tcp": [{ HostIp: "0.0.0.0", HostPort: "8080" }], "53/udp": null }, PortMapping: null }
 * ```
 */
export function inspectPorts({ status, exposed, assignments, apiVersion }: InspectedPorts): InspectPortSettings {
  const old = compareApiVersions(apiVersion, "1.21") < 0;
  return {
    Ports: old && !PUBLISHED_STATUSES.has(status) ? null : runningPorts(status, exposed, assignments),
    PortMapping: null,
  };
}

function runningPorts(
  status: string,
  exposed: InspectedPorts["exposed"],
  assignments: InspectedPorts["assignments"],
): InspectPorts {
  if (!PUBLISHED_STATUSES.has(status)) return {};
  const ports: Record<PortKey, PortBinding[] | null> = {};
  for (const key of exposed) ports[key] = null;
  for (const { containerPort, protocol, hostIp, hostPort } of assignments) {
    const key = formatPortKey({ port: containerPort, protocol });
    ports[key] = [...(ports[key] ?? []), { HostIp: hostIp, HostPort: hostPort === 0 ? "" : `${hostPort}` }];
  }
  return ports;
}
