import type { PortWish } from "../allocate/port-wish.ts";
import type { ExposedPorts, PortBindings } from "../spec/bindings.ts";
import type { PortError } from "../spec/port-error.ts";
import { formatPortKey, type PortKey, parsePortKey, portOfKey } from "../spec/port-key.ts";
import { PROTOCOLS } from "../spec/protocol.ts";
import { err, ok, type Result } from "../spec/result.ts";
import { type CreatePorts, type NormalPorts, normalise } from "./create-request.ts";
import { type BindingWishes, readBindings, readExposed, readPortSpecs, validateNetworkMode } from "./create-rules.ts";

/** The ports of an image's configuration. */
export interface ImagePorts {
  readonly ExposedPorts?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The ports of a container, as a create request settles them. */
export interface ResolvedPorts {
  /** `Config.ExposedPorts`: the ports of the request, the image, PortSpecs and the bindings. Docker omits it where empty. */
  readonly exposedPorts: ExposedPorts;
  /** `HostConfig.PortBindings`: canonical keys, values as given; `null` where the request has none. */
  readonly portBindings: PortBindings | null;
  /** The container ports that inspect and list show while it runs; none in the network modes host, none and container. */
  readonly exposed: readonly PortKey[];
  /** What to allocate at start, in dockerd's order of publishing; none in the network modes host, none and container. */
  readonly wishes: readonly PortWish[];
  /** `Warnings` of the create response. */
  readonly warnings: readonly string[];
}

/**
 * Applies every rule of `POST /containers/create` that concerns ports (Docker API 1.41, and Berth's own decisions).
 *
 * A binding exposes its port; `PublishAllPorts` gives every exposed port without a binding a dynamic one; `PortSpecs` exposes
 * and never binds; a key with an empty list publishes nothing and causes a warning. Keys are normalised to `80/tcp`; two keys
 * that then are equal are an error.
 *
 * @example
 * ```ts
 * const ports = resolveCreatePorts({ HostConfig: { PortBindings: { "80": [{ HostPort: "8080" }] } } });
 * ports.ok && ports.value.wishes;
 * // => [{ containerPort: 80, protocol: "tcp", hostIp: "", hostPorts: { start: 8080, end: 8080 } }]
 * ```
 *
 * @param request the create request.
 * @param image the image whose `EXPOSE` is added.
 * @returns the resolved ports, or the first error: its path, what is expected, and the message for a 400 response.
 */
export function resolveCreatePorts(request: CreatePorts, image: ImagePorts = {}): Result<ResolvedPorts, PortError> {
  const ports = normalise(request);
  const conflict = validateNetworkMode(ports);
  if (conflict !== undefined) return err(conflict);
  const bound = readBindings(ports);
  if (!bound.ok) return bound;
  const exposed = readExposed(ports);
  if (!exposed.ok) return exposed;
  const legacy = readPortSpecs(ports);
  if (!legacy.ok) return legacy;
  const fromImage = readImage(image);
  const keys = new Set([...exposed.value, ...legacy.value, ...fromImage.keys, ...bound.value.keys()]);
  return ok(settle(ports, bound.value, [...keys], fromImage.warnings));
}

function settle(
  { portBindings, publishAllPorts, networkMode }: NormalPorts,
  bound: ReadonlyMap<PortKey, BindingWishes>,
  exposed: readonly PortKey[],
  imageWarnings: readonly string[],
): ResolvedPorts {
  const fixed = [...bound.values()].flatMap(({ wishes }) => wishes);
  const unbound = publishAllPorts ? exposed.filter((key) => (bound.get(key)?.wishes ?? []).length === 0) : [];
  const ownNetwork = networkMode !== "host" && networkMode !== "none" && !networkMode.startsWith("container:");
  return {
    exposedPorts: Object.fromEntries(exposed.map((key) => [key, {}])),
    portBindings: portBindings && Object.fromEntries([...bound].map(([key, { bindings }]) => [key, bindings])),
    exposed: ownNetwork ? exposed : [],
    wishes: ownNetwork ? inPublishingOrder([...fixed, ...unbound.map(dynamicWish)]) : [],
    warnings: [
      ...(networkMode === "host" && bound.size > 0 ? [HOST_NETWORK_WARNING] : []),
      ...(publishAllPorts ? [] : emptyListWarnings(bound)),
      ...imageWarnings,
    ],
  };
}

/** dockerd's words. */
const HOST_NETWORK_WARNING = "Published ports are discarded when using host network mode";

function dynamicWish(key: PortKey): PortWish {
  const { port, protocol } = portOfKey(key);
  return { containerPort: port, protocol, hostIp: "", hostPorts: undefined };
}

/**
 * dockerd's order (go-connections `SortPortMap`): larger host port first, then larger container port, then tcp; of equal
 * wishes the later one first. Inspect shows this order within a key.
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

function emptyListWarnings(bound: ReadonlyMap<PortKey, BindingWishes>): readonly string[] {
  const empty = [...bound].filter(([, { wishes }]) => wishes.length === 0);
  return empty.map(([key]) => `Container port ${key} has an empty list of port bindings and is not published`);
}

/** An image is not a request: a key that is no port is ignored with a warning. */
function readImage({ ExposedPorts }: ImagePorts) {
  const keys: PortKey[] = [];
  const warnings: string[] = [];
  for (const key of Object.keys(ExposedPorts ?? {})) {
    const port = parsePortKey(key);
    if (port.ok) keys.push(formatPortKey(port.value));
    else warnings.push(`The image exposes ${JSON.stringify(key)}, which is not a port; it is ignored`);
  }
  return { keys, warnings };
}
