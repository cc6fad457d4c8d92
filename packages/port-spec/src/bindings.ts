import type { PortError } from "./port-error.ts";
import { type ContainerPort, formatPortKey, type PortKey, parsePortKey } from "./port-key.ts";
import { formatPortRange, type PortRange, parsePortRange } from "./port-range.ts";
import type { PortSpec } from "./port-spec.ts";
import { err, ok, type Result } from "./result.ts";

/** One entry of `PortBindings`, in Docker's spelling. `HostPort` is empty or `0` for dynamic, `8080`, or `8000-8010`. */
export interface PortBinding {
  readonly HostIp: string;
  readonly HostPort: string;
}

/** `HostConfig.PortBindings`. A key with `null` or an empty list publishes nothing. */
export type PortBindings = Readonly<Record<PortKey, readonly PortBinding[] | null>>;

/** `Config.ExposedPorts`. */
export type ExposedPorts = Readonly<Record<PortKey, Readonly<Record<string, never>>>>;

/** What the CLI sends for its `-p` arguments. */
export interface EnginePorts {
  readonly ExposedPorts: ExposedPorts;
  readonly PortBindings: Readonly<Record<PortKey, readonly PortBinding[]>>;
}

/**
 * Turns port specs into the two maps of the create request, as `docker create -p` does: every container port is exposed
 * and bound, a pool keeps its range as text, equal keys gather their bindings in the order given.
 */
export function toEngine(specs: readonly PortSpec[]): EnginePorts {
  const ExposedPorts: Record<PortKey, Record<string, never>> = {};
  const PortBindings: Record<PortKey, PortBinding[]> = {};
  for (const spec of specs) {
    const pool = spec.container.start === spec.container.end;
    for (let port = spec.container.start; port <= spec.container.end; port++) {
      const key = formatPortKey({ port, protocol: spec.protocol });
      const HostPort = pool ? poolText(spec.host) : nthText(spec.host, port - spec.container.start);
      ExposedPorts[key] = {};
      const bindings = PortBindings[key];
      if (bindings === undefined) PortBindings[key] = [{ HostIp: spec.hostIp, HostPort }];
      else bindings.push({ HostIp: spec.hostIp, HostPort });
    }
  }
  return { ExposedPorts, PortBindings };
}

function poolText(host: PortRange | undefined): string {
  return host === undefined ? "" : formatPortRange(host);
}

function nthText(host: PortRange | undefined, index: number): string {
  return host === undefined ? "" : `${host.start + index}`;
}

/**
 * Turns `PortBindings` back into port specs, and folds neighbours (host and container both one up, same address and
 * protocol) into ranges. `toEngine` of the outcome gives the same bindings back, in the same order per key.
 *
 * @returns the specs in rising order of container port, or the first key or binding that is malformed.
 */
export function fromEngine(bindings: PortBindings): Result<readonly PortSpec[], PortError> {
  const specs: { readonly index: number; readonly spec: PortSpec }[] = [];
  const keys: { readonly port: ContainerPort; readonly list: readonly PortBinding[] }[] = [];
  for (const [key, list] of Object.entries(bindings)) {
    const port = parsePortKey(key);
    if (!port.ok) return port;
    keys.push({ port: port.value, list: list ?? [] });
  }
  keys.sort((a, b) => a.port.protocol.localeCompare(b.port.protocol) || a.port.port - b.port.port);
  for (const { port, list } of keys) {
    for (const [index, binding] of list.entries()) {
      const host = binding.HostPort === "" ? undefined : parsePortRange(binding.HostPort);
      if (host === undefined && binding.HostPort !== "") return err(badHostPort(binding.HostPort, ""));
      const spec = {
        hostIp: binding.HostIp,
        host,
        container: { start: port.port, end: port.port },
        protocol: port.protocol,
      };
      // Folding only bindings of equal index keeps the order inside each key.
      const before = specs.findIndex((entry) => entry.index === index && adjoins(entry.spec, spec));
      const neighbour = specs[before];
      if (neighbour === undefined) specs.push({ index, spec });
      else specs[before] = { index, spec: joined(neighbour.spec, spec) };
    }
  }
  return ok(specs.sort((a, b) => a.index - b.index).map((entry) => entry.spec));
}

function adjoins(low: PortSpec, high: PortSpec): boolean {
  if (low.protocol !== high.protocol || low.hostIp !== high.hostIp) return false;
  if (low.container.end + 1 !== high.container.start) return false;
  if (low.host === undefined || high.host === undefined) return low.host === high.host;
  const sameLength = low.host.end - low.host.start === low.container.end - low.container.start;
  return sameLength && low.host.start > 0 && high.host.start === high.host.end && low.host.end + 1 === high.host.start;
}

function joined(low: PortSpec, high: PortSpec): PortSpec {
  const host = low.host && high.host && { start: low.host.start, end: high.host.end };
  return { ...low, host, container: { start: low.container.start, end: high.container.end } };
}

/** dockerd's refusal of a `HostPort`. */
export function badHostPort(text: string, path: string): PortError {
  return {
    code: "bad-host-port",
    input: text,
    position: 0,
    path,
    expected: "empty or 0 for a dynamic port, a port from 1 to 65535, or a rising range such as 8000-8010",
    message: `invalid port specification: ${JSON.stringify(text)}`,
  };
}
