import { type ExposedPorts, type PortBinding, type PortBindings, readBinding } from "./bindings.ts";
import { type CreatePortsRequest, readCreatePorts, type TypedPorts } from "./create-request.ts";
import type { PortError } from "./port-error.ts";
import { type ContainerPort, formatPortKey, type PortKey, parsePortKey } from "./port-key.ts";
import { parsePortSpec } from "./port-spec.ts";
import type { PortWish } from "./port-wish.ts";
import { PROTOCOLS } from "./protocol.ts";
import { err, ok, type Result } from "./result.ts";

/** The ports of an image, from its configuration. */
export interface ImagePorts {
  readonly ExposedPorts?: Readonly<Record<string, unknown>> | null | undefined;
}

/** Everything a create request says of ports, settled. */
export interface ResolvedPorts {
  /** `Config.ExposedPorts`: request, image, legacy PortSpecs and bound ports together. Docker leaves it out where empty. */
  readonly exposedPorts: ExposedPorts;
  /** `HostConfig.PortBindings`: canonical keys, values as given; `null` where the request named none. */
  readonly portBindings: PortBindings | null;
  /** The container ports that inspect and list show while it runs; none in host, none and container network modes. */
  readonly exposed: readonly PortKey[];
  /** What to allocate at start, in dockerd's order of publishing; none in host, none and container network modes. */
  readonly wishes: readonly PortWish[];
  /** `Warnings` of the create response. */
  readonly warnings: readonly string[];
}

/**
 * Applies every rule of `POST /containers/create` that concerns ports (Docker API 1.41, and Berth's decisions beside it).
 *
 * A bound port is exposed by its binding; `PublishAllPorts` gives every exposed port without a binding a dynamic one;
 * `PortSpecs` exposes and never binds; a key with an empty list publishes nothing and is warned about. Keys are
 * normalised to `80/tcp`, and two that then agree are refused.
 *
 * @param request the create body as JSON gave it, or the parts of it named here.
 * @param image the image whose `EXPOSE` joins in.
 * @returns the settled ports, or the first fault: its path, what would be right, and the message to answer 400 with.
 */
export function resolveCreatePorts(
  request: CreatePortsRequest,
  image: ImagePorts = {},
): Result<ResolvedPorts, PortError> {
  const typed = readCreatePorts(request);
  if (!typed.ok) return typed;
  const clash = networkClash(typed.value);
  if (clash !== undefined) return err(clash);
  const bound = checkBindings(typed.value);
  if (!bound.ok) return bound;
  const exposed = checkKeys(typed.value.exposedPorts, "ExposedPorts");
  if (!exposed.ok) return exposed;
  const legacy = portSpecPorts(typed.value.portSpecs);
  if (!legacy.ok) return legacy;
  return ok(settle(typed.value, bound.value, [...exposed.value, ...legacy.value], imagePorts(image)));
}

/** A key of PortBindings with what stands under it, and the wishes that this makes. */
interface BoundPort {
  readonly key: PortKey;
  readonly bindings: readonly PortBinding[] | null;
  readonly wishes: readonly PortWish[];
}

function settle(
  { portBindings, publishAllPorts, networkMode }: TypedPorts,
  bound: readonly BoundPort[],
  asked: readonly ContainerPort[],
  image: { readonly ports: readonly ContainerPort[]; readonly warnings: readonly string[] },
): ResolvedPorts {
  const ports = [...asked, ...image.ports].map(formatPortKey);
  const exposed = [...new Set([...ports, ...bound.map(({ key }) => key)])];
  const wishes = bound.flatMap((port) => port.wishes);
  const wished = new Set(wishes.map(({ containerPort, protocol }) => formatPortKey({ port: containerPort, protocol })));
  if (publishAllPorts) wishes.push(...exposed.filter((key) => !wished.has(key)).flatMap(dynamicWish));
  const ownNetwork = !["host", "none"].includes(networkMode) && !networkMode.startsWith("container:");
  return {
    exposedPorts: Object.fromEntries(exposed.map((key) => [key, {}])),
    portBindings: portBindings && Object.fromEntries(bound.map(({ key, bindings }) => [key, bindings])),
    exposed: ownNetwork ? exposed : [],
    wishes: ownNetwork ? inPublishingOrder(wishes) : [],
    warnings: [
      ...hostNetworkWarnings(networkMode, bound),
      ...emptyListWarnings(bound, publishAllPorts),
      ...image.warnings,
    ],
  };
}

function dynamicWish(key: PortKey): readonly PortWish[] {
  const port = parsePortKey(key);
  return port.ok
    ? [{ containerPort: port.value.port, protocol: port.value.protocol, hostIp: "", hostPorts: undefined }]
    : [];
}

/**
 * dockerd's order (go-connections `SortPortMap`): larger host port first, then larger container port, then tcp, and of
 * equals the later one first. Inspect shows it within a key.
 */
function inPublishingOrder(wishes: readonly PortWish[]): readonly PortWish[] {
  return [...wishes]
    .reverse()
    .sort(
      (a, b) =>
        (b.hostPorts?.start ?? 0) - (a.hostPorts?.start ?? 0) ||
        b.containerPort - a.containerPort ||
        PROTOCOLS.indexOf(a.protocol) - PROTOCOLS.indexOf(b.protocol),
    );
}

function hostNetworkWarnings(networkMode: string, bound: readonly BoundPort[]): readonly string[] {
  return networkMode === "host" && bound.length > 0
    ? ["Published ports are discarded when using host network mode"]
    : [];
}

function emptyListWarnings(bound: readonly BoundPort[], publishAllPorts: boolean): readonly string[] {
  const empty = publishAllPorts ? [] : bound.filter(({ wishes }) => wishes.length === 0);
  return empty.map(({ key }) => `Container port ${key} has an empty list of port bindings and is not published`);
}

/** runconfig `validateNetMode`: a container that joins another's network can neither publish nor expose. */
function networkClash(typed: TypedPorts): PortError | undefined {
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

function checkBindings({ portBindings, bindingsPath }: TypedPorts): Result<readonly BoundPort[], PortError> {
  const entries = [...(portBindings ?? [])];
  const keys = checkKeys(
    entries.map(([key]) => key),
    bindingsPath,
  );
  if (!keys.ok) return keys;
  const bound: BoundPort[] = [];
  for (const [index, port] of keys.value.entries()) {
    const [key, bindings] = entries[index] ?? ["", null];
    const wishes: PortWish[] = [];
    for (const [at, binding] of (bindings ?? []).entries()) {
      const wish = wishOf(port, binding, `${bindingsPath}[${JSON.stringify(key)}][${at}]`);
      if (!wish.ok) return wish;
      wishes.push(wish.value);
    }
    bound.push({ key: formatPortKey(port), bindings, wishes });
  }
  return ok(bound);
}

function wishOf(port: ContainerPort, binding: PortBinding, path: string): Result<PortWish, PortError> {
  const read = readBinding(binding, path);
  if (!read.ok) return read;
  const { hostIp, host } = read.value;
  return ok({
    containerPort: port.port,
    protocol: port.protocol,
    hostIp,
    hostPorts: host?.end === 0 ? undefined : host,
  });
}

/** Reads the keys of one map and refuses two that name the same container port. */
function checkKeys(keys: readonly string[], path: string): Result<readonly ContainerPort[], PortError> {
  const ports = new Map<PortKey, ContainerPort>();
  for (const key of keys) {
    const port = parsePortKey(key);
    if (!port.ok) return err(refusedKey(port.error, path));
    const canonical = formatPortKey(port.value);
    if (ports.has(canonical)) {
      return err({
        code: "duplicate-port-key",
        input: key,
        position: 0,
        path,
        expected: `${canonical} once`,
        message: `duplicate port ${JSON.stringify(key)} in ${path}: ${canonical} is already given`,
      });
    }
    ports.set(canonical, port.value);
  }
  return ok([...ports.values()]);
}

/** Clients know dockerd's wording of the refusals it has; those that are Berth's alone name the field as well. */
function refusedKey(error: PortError, map: string): PortError {
  const path = `${map}[${JSON.stringify(error.input)}]`;
  const isDockers = map !== "ExposedPorts" && error.code === "bad-port-key";
  return { ...error, path, message: isDockers ? error.message : `${error.message} in ${path}` };
}

/** Legacy PortSpecs: `[hostPort:]containerPort[/protocol]`, which exposes the container ports. No interface is allowed. */
function portSpecPorts(specs: readonly string[]): Result<readonly ContainerPort[], PortError> {
  const ports: ContainerPort[] = [];
  for (const [index, text] of specs.entries()) {
    const path = `PortSpecs[${index}]`;
    const spec = parsePortSpec(text);
    const host = text.slice(0, Math.max(0, text.lastIndexOf(":")));
    if (host.includes(":") && (spec.ok || spec.error.code === "bad-host-ip")) {
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
    if (!spec.ok) return err({ ...spec.error, path });
    const { container, protocol } = spec.value;
    for (let port = container.start; port <= container.end; port++) ports.push({ port, protocol });
  }
  return ok(ports);
}

/** An image is no request: a key in it that names no port is passed over with a warning. */
function imagePorts({ ExposedPorts }: ImagePorts) {
  const ports: ContainerPort[] = [];
  const warnings: string[] = [];
  for (const key of Object.keys(ExposedPorts ?? {})) {
    const port = parsePortKey(key);
    if (port.ok) ports.push(port.value);
    else warnings.push(`The image exposes ${JSON.stringify(key)}, which is no port, and it is ignored`);
  }
  return { ports, warnings };
}
