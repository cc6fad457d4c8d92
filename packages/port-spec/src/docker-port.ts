import type { InspectPorts } from "./inspect-ports.ts";
import { formatEndpoint } from "./ip-address.ts";
import { type ContainerPort, formatPortKey } from "./port-key.ts";

/**
 * Writes what `docker port CONTAINER` prints: a line `80/tcp -> 0.0.0.0:8080` for each binding, in natural order.
 *
 * @param ports `NetworkSettings.Ports` of an inspect; unpublished ports give no line.
 */
export function formatDockerPort(ports: InspectPorts): readonly string[] {
  return Object.entries(ports)
    .flatMap(([key, bindings]) =>
      (bindings ?? []).map(({ HostIp, HostPort }) => `${key} -> ${formatEndpoint(HostIp, HostPort)}`),
    )
    .sort(compareNaturally);
}

/**
 * Writes what `docker port CONTAINER PORT` prints: a line `0.0.0.0:8080` for each binding of that port, in natural order.
 * No line means that it is not published, which the CLI reports as `no public port '80/tcp' published for CONTAINER`.
 */
export function formatPublicPort(ports: InspectPorts, port: ContainerPort): readonly string[] {
  const bindings = ports[formatPortKey(port)] ?? [];
  return bindings.map(({ HostIp, HostPort }) => formatEndpoint(HostIp, HostPort)).sort(compareNaturally);
}

/** Runs of digits compare as numbers, all else as text. */
function compareNaturally(a: string, b: string): number {
  const left = a.match(/\d+|\D+/g) ?? [];
  const right = b.match(/\d+|\D+/g) ?? [];
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const [one = "", other = ""] = [left[at], right[at]];
    if (one === other) continue;
    const difference = Number(one) - Number(other);
    if (!Number.isNaN(difference) && difference !== 0) return difference;
    return one < other ? -1 : 1;
  }
  return left.length - right.length;
}
