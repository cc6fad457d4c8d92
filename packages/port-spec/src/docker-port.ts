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
  const padded = (text: string) => text.replace(/\d+/g, (digits) => digits.padStart(5, "0"));
  return padded(a) < padded(b) ? -1 : 1;
}
