import { compareApiVersions } from "./api-version.ts";
import type { PortBinding } from "./bindings.ts";
import type { PortAssignment } from "./held-claim.ts";
import { formatPortKey, type PortKey } from "./port-key.ts";

/** `NetworkSettings.Ports`: `null` for a port that is exposed and not published. */
export type InspectPorts = Readonly<Record<PortKey, readonly PortBinding[] | null>>;

/** The part of `NetworkSettings` that speaks of ports; spread it into the rest. */
export interface InspectPortSettings {
  readonly Ports: InspectPorts | null;
  readonly PortMapping?: null;
}

/** What inspect needs to know of a container. */
export interface InspectedPorts {
  /** `State.Status`, such as `created` or `running`. */
  readonly status: string;
  /** The container ports to show, published or not. */
  readonly exposed: readonly PortKey[];
  /** What is published, in the order it was assigned. */
  readonly assignments: readonly Omit<PortAssignment<unknown>, "holder">[];
  /** The API version of the request, such as `1.41`. */
  readonly apiVersion: string;
}

/** The statuses in which a container has its ports. */
const PUBLISHED_STATUSES: ReadonlySet<string> = new Set(["running", "paused"]);

/**
 * The ports of `GET /containers/{id}/json`. Empty unless the container runs or is paused. Below API 1.21 one that does
 * neither shows `Ports: null`, and every one `PortMapping: null` beside it.
 */
export function inspectPorts({ status, exposed, assignments, apiVersion }: InspectedPorts): InspectPortSettings {
  const old = compareApiVersions(apiVersion, "1.21") < 0;
  return {
    Ports: old && !PUBLISHED_STATUSES.has(status) ? null : runningPorts(status, exposed, assignments),
    ...(old && { PortMapping: null }),
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
    ports[key] = [...(ports[key] ?? []), { HostIp: hostIp, HostPort: `${hostPort}` }];
  }
  return ports;
}
