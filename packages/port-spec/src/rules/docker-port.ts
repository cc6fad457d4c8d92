import { formatEndpoint } from "../spec/ip-address.ts";
import { type ContainerPort, formatPortKey } from "../spec/port-key.ts";
import type { InspectPorts } from "./inspect-ports.ts";

/**
 * Formats the output of `docker port CONTAINER`: a line `80/tcp -> 0.0.0.0:8080` for each binding, in natural order.
 *
 * @param ports `NetworkSettings.Ports` of an inspect response; unpublished ports have no line.
 */
export function formatDockerPort(ports: InspectPorts): readonly string[] {
  return Object.entries(ports)
    .flatMap(([key, bindings]) =>
      (bindings ?? []).map(({ HostIp, HostPort }) => `${key} -> ${formatEndpoint(HostIp, HostPort)}`),
    )
    .sort(compareNaturally);
}

/**
 * Formats the output of `docker port CONTAINER PORT`: a line `0.0.0.0:8080` for each binding of the port, in natural order.
 * No line means that the port is not published, which the CLI reports as `no public port '80/tcp' published for CONTAINER`.
 */
export function formatPublicPort(ports: InspectPorts, port: ContainerPort): readonly string[] {
  const bindings = ports[formatPortKey(port)] ?? [];
  return bindings.map(({ HostIp, HostPort }) => formatEndpoint(HostIp, HostPort)).sort(compareNaturally);
}

/** Compares digits as numbers and everything else as text. */
function compareNaturally(a: string, b: string): number {
  const padded = (text: string) => text.replace(/\d+/g, (digits) => digits.padStart(5, "0"));
  return padded(a) < padded(b) ? -1 : 1;
}
