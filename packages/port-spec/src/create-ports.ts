import type { ExposedPorts, PortBindings } from "./bindings.ts";
import { type BoundPort, checkExposed, checkNetwork, checkPortBindings, checkPortSpecs } from "./create-checks.ts";
import { type CreatePortsRequest, readCreatePorts, type TypedPorts } from "./create-request.ts";
import type { PortError } from "./port-error.ts";
import { type ContainerPort, formatPortKey, type PortKey, parsePortKey, portOfKey } from "./port-key.ts";
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
  const clash = checkNetwork(typed.value);
  if (clash !== undefined) return err(clash);
  const bound = checkPortBindings(typed.value);
  if (!bound.ok) return bound;
  const exposed = checkExposed(typed.value);
  if (!exposed.ok) return exposed;
  const legacy = checkPortSpecs(typed.value);
  if (!legacy.ok) return legacy;
  return ok(settle(typed.value, bound.value, [...exposed.value, ...legacy.value], imagePorts(image)));
}

function settle(
  { portBindings, publishAllPorts, networkMode }: TypedPorts,
  bound: readonly BoundPort[],
  asked: readonly ContainerPort[],
  image: { readonly ports: readonly ContainerPort[]; readonly warnings: readonly string[] },
): ResolvedPorts {
  const ports = [...asked, ...image.ports].map(formatPortKey);
  const exposed = [...new Set([...ports, ...bound.map(({ key }) => key)])];
  const named = bound.flatMap((port) => port.wishes);
  const wished = new Set(named.map(({ containerPort, protocol }) => formatPortKey({ port: containerPort, protocol })));
  const wishes = publishAllPorts ? [...named, ...exposed.filter((key) => !wished.has(key)).map(dynamicWish)] : named;
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

function dynamicWish(key: PortKey): PortWish {
  const { port, protocol } = portOfKey(key);
  return { containerPort: port, protocol, hostIp: "", hostPorts: undefined };
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
