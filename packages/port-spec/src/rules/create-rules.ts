import type { PortWish } from "../allocate/port-wish.ts";
import { type PortBinding, readBinding } from "../spec/bindings.ts";
import type { PortError } from "../spec/port-error.ts";
import { type ContainerPort, formatPortKey, type PortKey, parsePortKey } from "../spec/port-key.ts";
import { parsePortSpec } from "../spec/port-spec.ts";
import { err, ok, type Result } from "../spec/result.ts";
import type { NormalPorts } from "./create-request.ts";

/** A container that joins another one's network can neither publish nor expose ports (dockerd, runconfig `validateNetMode`). */
export function validateNetworkMode(ports: NormalPorts): PortError | undefined {
  if (!ports.networkMode.startsWith("container:")) return undefined;
  const publishes = ports.publishAllPorts || (ports.portBindings ?? []).length > 0;
  if (!publishes && ports.exposedPorts.length + ports.portSpecs.length === 0) return undefined;
  const what = publishes ? "publishing" : "exposing";
  return {
    code: "network-mode",
    input: ports.networkMode,
    position: 0,
    path: "HostConfig.NetworkMode",
    expected: `no port ${what}, because the joined container owns the ports`,
    message: `conflicting options: port ${what} and the container type network mode`,
  };
}

/** What PortBindings has under one key, and the wishes for it. */
export interface BindingWishes {
  readonly bindings: readonly PortBinding[] | null;
  readonly wishes: readonly PortWish[];
}

/** Reads every key and binding of PortBindings, or returns the first error. */
export function readBindings(ports: NormalPorts): Result<ReadonlyMap<PortKey, BindingWishes>, PortError> {
  const byKey = new Map<PortKey, BindingWishes>();
  for (const [key, bindings] of ports.portBindings ?? []) {
    const port = readKey(key, ports.bindingsPath, byKey);
    if (!port.ok) return port;
    const wishes: PortWish[] = [];
    for (const [index, binding] of (bindings ?? []).entries()) {
      const read = readBinding(binding, `${ports.bindingsPath}[${JSON.stringify(key)}][${index}]`);
      if (!read.ok) return read;
      const { hostIp, host } = read.value;
      const { port: containerPort, protocol } = port.value;
      wishes.push({ containerPort, protocol, hostIp, hostPorts: host?.end === 0 ? undefined : host });
    }
    byKey.set(formatPortKey(port.value), { bindings, wishes });
  }
  return ok(byKey);
}

/** Reads every key of ExposedPorts, or returns the first error. */
export function readExposed({ exposedPorts }: NormalPorts): Result<ReadonlySet<PortKey>, PortError> {
  const exposed = new Set<PortKey>();
  for (const key of exposedPorts) {
    const port = readKey(key, "ExposedPorts", exposed);
    if (!port.ok) return port;
    exposed.add(formatPortKey(port.value));
  }
  return ok(exposed);
}

/** Every port of three protocols. */
const MOST_PORTS = 3 * 65_535;

/**
 * Reads legacy PortSpecs, `[hostPort:]containerPort[/protocol]`, which expose ports and never bind them. An interface is an
 * error.
 */
export function readPortSpecs({ portSpecs }: NormalPorts): Result<readonly PortKey[], PortError> {
  const keys: PortKey[] = [];
  for (const [index, text] of portSpecs.entries()) {
    const path = `PortSpecs[${index}]`;
    const host = text.slice(0, Math.max(0, text.lastIndexOf(":")));
    if (host.includes(":")) {
      const expected = "no interface: [hostPort:]containerPort[/protocol]";
      const message = `invalid hostPort: ${host}`;
      return err({ code: "bad-host-port", input: text, position: 0, path, expected, message });
    }
    const spec = parsePortSpec(text);
    if (!spec.ok) return err({ ...spec.error, path });
    const { container, protocol } = spec.value;
    // Ranges may overlap: some thousand of all ports would be more than memory holds.
    if (keys.length + container.end - container.start >= MOST_PORTS) {
      const expected = `at most ${MOST_PORTS} ports`;
      return err({
        code: "bad-container-port",
        input: text,
        position: 0,
        path,
        expected,
        message: `more than ${MOST_PORTS} ports`,
      });
    }
    for (let port = container.start; port <= container.end; port++) keys.push(formatPortKey({ port, protocol }));
  }
  return ok(keys);
}

/** Reads a key of the map at `path`; a port that was `seen` in the map before is an error. */
function readKey(key: string, path: string, seen: { has(key: PortKey): boolean }): Result<ContainerPort, PortError> {
  const port = parsePortKey(key);
  if (!port.ok) return err(keyError(port.error, path));
  const canonical = formatPortKey(port.value);
  if (!seen.has(canonical)) return port;
  return err({
    code: "duplicate-port-key",
    input: key,
    position: 0,
    path: `${path}[${JSON.stringify(key)}]`,
    expected: `${canonical} once`,
    message: `duplicate port ${JSON.stringify(key)} in ${path}: ${canonical} is already listed`,
  });
}

/** Keeps dockerd's message where dockerd rejects the key too; adds the field where only Berth does. */
function keyError(error: PortError, map: string): PortError {
  const path = `${map}[${JSON.stringify(error.input)}]`;
  const isDockers = map !== "ExposedPorts" && error.code === "bad-port-key";
  return { ...error, path, message: isDockers ? error.message : `${error.message} in ${path}` };
}
