import { type PortBinding, readBinding } from "./bindings.ts";
import type { TypedPorts } from "./create-request.ts";
import type { PortError } from "./port-error.ts";
import { type ContainerPort, formatPortKey, type PortKey, parsePortKey } from "./port-key.ts";
import { parsePortSpec } from "./port-spec.ts";
import type { PortWish } from "./port-wish.ts";
import { err, ok, type Result } from "./result.ts";

/** runconfig `validateNetMode`: a container that joins another's network can neither publish nor expose. */
export function checkNetwork(typed: TypedPorts): PortError | undefined {
  if (!typed.networkMode.startsWith("container:")) return undefined;
  const publishes = (typed.portBindings?.size ?? 0) > 0 || typed.publishAllPorts;
  if (!publishes && typed.exposedPorts.length + typed.portSpecs.length === 0) return undefined;
  const what = publishes ? "publishing" : "exposing";
  return {
    code: "network-mode",
    input: typed.networkMode,
    position: 0,
    path: "HostConfig.NetworkMode",
    expected: `no port ${what}, as the ports belong to the container joined`,
    message: `conflicting options: port ${what} and the container type network mode`,
  };
}

/** A key of PortBindings with what stands under it, and the wishes that this makes. */
export interface BoundPort {
  readonly key: PortKey;
  readonly bindings: readonly PortBinding[] | null;
  readonly wishes: readonly PortWish[];
}

/** Every key and binding of PortBindings, read; or the first that is refused. */
export function checkPortBindings({ portBindings, bindingsPath }: TypedPorts): Result<readonly BoundPort[], PortError> {
  const bound = new Map<PortKey, BoundPort>();
  for (const [key, bindings] of portBindings ?? []) {
    const port = checkKey(key, bindingsPath, bound);
    if (!port.ok) return port;
    const wishes: PortWish[] = [];
    for (const [index, binding] of (bindings ?? []).entries()) {
      const wish = wishOf(port.value, binding, `${bindingsPath}[${JSON.stringify(key)}][${index}]`);
      if (!wish.ok) return wish;
      wishes.push(wish.value);
    }
    const canonical = formatPortKey(port.value);
    bound.set(canonical, { key: canonical, bindings, wishes });
  }
  return ok([...bound.values()]);
}

/** Every key of ExposedPorts, read; or the first that is refused. */
export function checkExposed({ exposedPorts }: TypedPorts): Result<readonly ContainerPort[], PortError> {
  const exposed = new Map<PortKey, ContainerPort>();
  for (const key of exposedPorts) {
    const port = checkKey(key, "ExposedPorts", exposed);
    if (!port.ok) return port;
    exposed.set(formatPortKey(port.value), port.value);
  }
  return ok([...exposed.values()]);
}

function wishOf({ port, protocol }: ContainerPort, binding: PortBinding, path: string): Result<PortWish, PortError> {
  const read = readBinding(binding, path);
  if (!read.ok) return read;
  const { hostIp, host } = read.value;
  return ok({ containerPort: port, protocol, hostIp, hostPorts: host?.end === 0 ? undefined : host });
}

/** Reads a key of the map at `path`, and refuses it where it names a port that the map has `seen`. */
function checkKey(key: string, path: string, seen: ReadonlyMap<PortKey, unknown>): Result<ContainerPort, PortError> {
  const port = parsePortKey(key);
  if (!port.ok) return err(refusedKey(port.error, path));
  const canonical = formatPortKey(port.value);
  if (!seen.has(canonical)) return port;
  return err({
    code: "duplicate-port-key",
    input: key,
    position: 0,
    path: `${path}[${JSON.stringify(key)}]`,
    expected: `${canonical} once`,
    message: `duplicate port ${JSON.stringify(key)} in ${path}: ${canonical} is already given`,
  });
}

/** Clients know dockerd's wording of the refusals it has; those that are Berth's alone name the field as well. */
function refusedKey(error: PortError, map: string): PortError {
  const path = `${map}[${JSON.stringify(error.input)}]`;
  const isDockers = map !== "ExposedPorts" && error.code === "bad-port-key";
  return { ...error, path, message: isDockers ? error.message : `${error.message} in ${path}` };
}

/**
 * Legacy PortSpecs, `[hostPort:]containerPort[/protocol]`: the container ports they expose, as they never bind. An
 * interface is refused.
 */
export function checkPortSpecs({ portSpecs }: TypedPorts): Result<readonly ContainerPort[], PortError> {
  const ports: ContainerPort[] = [];
  for (const [index, text] of portSpecs.entries()) {
    const path = `PortSpecs[${index}]`;
    const host = text.slice(0, Math.max(0, text.lastIndexOf(":")));
    if (host.includes(":")) {
      const expected = "no interface: [hostPort:]containerPort[/protocol]";
      return err({
        code: "bad-host-port",
        input: text,
        position: 0,
        path,
        expected,
        message: `invalid hostPort: ${host}`,
      });
    }
    const spec = parsePortSpec(text);
    if (!spec.ok) return err({ ...spec.error, path });
    const { container, protocol } = spec.value;
    for (let port = container.start; port <= container.end; port++) ports.push({ port, protocol });
  }
  return ok(ports);
}
