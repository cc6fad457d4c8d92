import { canonicalIp } from "./ip-address.ts";
import type { PortError } from "./port-error.ts";
import { type ContainerPort, type PortKey, parsePortKey } from "./port-key.ts";
import { formatPortRange, MAX_PORT, parsePortRange } from "./port-range.ts";
import type { PortSpec } from "./port-spec.ts";
import { PROTOCOLS } from "./protocol.ts";
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

/** What the CLI sends for `-p` arguments. */
export interface EnginePorts {
  readonly ExposedPorts: ExposedPorts;
  readonly PortBindings: Readonly<Record<PortKey, readonly PortBinding[]>>;
}

/**
 * Converts port specs to the two maps of the create request, as `docker create -p` does: every container port is exposed and
 * bound, a pool keeps its range as text, and the bindings of equal keys keep the order of the specs.
 *
 * @example
 * ```ts
 * const spec = parsePortSpec("8080:80");
 * spec.ok && toEngine([spec.value]).PortBindings; // => { "80/tcp": [{ HostIp: "", HostPort: "8080" }] }
 * ```
 */
export function toEngine(specs: readonly PortSpec[]): EnginePorts {
  const ExposedPorts: Record<PortKey, Record<string, never>> = {};
  const PortBindings: Record<PortKey, PortBinding[]> = {};
  for (const { hostIp: HostIp, host, container, protocol } of specs) {
    const isPool = container.start === container.end;
    for (let port = container.start; port <= container.end; port++) {
      const key: PortKey = `${port}/${protocol}`;
      const HostPort =
        host === undefined ? "" : isPool ? formatPortRange(host) : `${host.start + port - container.start}`;
      const bindings = PortBindings[key];
      if (bindings !== undefined) bindings.push({ HostIp, HostPort });
      else {
        ExposedPorts[key] = {};
        PortBindings[key] = [{ HostIp, HostPort }];
      }
    }
  }
  return { ExposedPorts, PortBindings };
}

/**
 * Converts `PortBindings` back to port specs and joins neighbours (host and container port both one higher, same address and
 * protocol) to ranges. {@link toEngine} of the result gives the same bindings, in the same order per key.
 *
 * @returns the specs by index in their lists, protocol and container port; or the error of the first malformed key or binding.
 */
export function fromEngine(bindings: PortBindings): Result<readonly PortSpec[], PortError> {
  const keys: { readonly port: ContainerPort; readonly key: string; readonly list: readonly PortBinding[] }[] = [];
  for (const [key, list] of Object.entries(bindings)) {
    const port = parsePortKey(key);
    if (!port.ok) return port;
    keys.push({ port: port.value, key, list: list ?? [] });
  }
  keys.sort(
    (a, b) => PROTOCOLS.indexOf(a.port.protocol) - PROTOCOLS.indexOf(b.port.protocol) || a.port.port - b.port.port,
  );
  // Joining only bindings with equal index in their lists keeps the order within each key.
  const byIndex: PortSpec[][] = [];
  for (const { port, key, list } of keys) {
    for (const [index, binding] of list.entries()) {
      const read = readBinding(binding, `PortBindings[${JSON.stringify(key)}][${index}]`);
      if (!read.ok) return read;
      const specs = byIndex[index] ?? [];
      byIndex[index] = specs;
      append(specs, {
        hostIp: binding.HostIp,
        host: read.value.host,
        container: { start: port.port, end: port.port },
        protocol: port.protocol,
      });
    }
  }
  return ok(byIndex.flat());
}

/**
 * Reads the values of the binding at `path`.
 *
 * @returns the canonical address and the host ports, or the error: dockerd's for a HostPort, Berth's own for a HostIp that is
 * not a literal address.
 */
export function readBinding(
  { HostIp, HostPort }: PortBinding,
  path: string,
): Result<Pick<PortSpec, "hostIp" | "host">, PortError> {
  const hostIp = HostIp === "" ? "" : canonicalIp(HostIp);
  if (hostIp === undefined) {
    return err({
      code: "bad-host-ip",
      input: HostIp,
      position: 0,
      path: `${path}.HostIp`,
      expected: "empty for every interface, or a literal IPv4 or IPv6 address without brackets",
      message: `invalid IP address: ${HostIp} in ${path}.HostIp`,
    });
  }
  if (HostPort === "") return ok({ hostIp, host: undefined });
  const host = parsePortRange(HostPort);
  const fromZero = host?.start === 0 && host.end !== 0;
  if (host !== undefined && !fromZero) return ok({ hostIp, host });
  return err({
    code: "bad-host-port",
    input: HostPort,
    position: 0,
    path: `${path}.HostPort`,
    expected: `empty or 0 for a dynamic port, a port from 1 to ${MAX_PORT}, or an ascending range such as 8000-8010`,
    // dockerd's message. It accepts a range from 0; that error is Berth's own and names the field.
    message: `invalid port specification: ${JSON.stringify(HostPort)}${fromZero ? ` in ${path}.HostPort` : ""}`,
  });
}

/** Adds a spec to the list, joined to the last one where it continues it. */
function append(specs: PortSpec[], next: PortSpec): void {
  const last = specs.at(-1);
  if (last !== undefined && adjoins(last, next)) specs[specs.length - 1] = joined(last, next);
  else specs.push(next);
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
