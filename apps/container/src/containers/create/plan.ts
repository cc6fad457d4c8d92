import { resolveCreatePorts } from "@berth/port-spec";
import { EngineError, isEngineError, orInvalid } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import { networkName, sharedContainer } from "../../engine/network-mode.ts";
import type { Image } from "../../images/images.ts";
import type { EndpointRequest } from "../../networks/networks.ts";
import type { HostConfig } from "../records/config.ts";
import type { Container, MountPoint } from "../records/container.ts";
import { formatLink, parseLink } from "../records/links.ts";
import { CREATED } from "../records/state.ts";
import { commandOf, mergeImage } from "./merge-image.ts";
import type { MountWish } from "./mount-requests.ts";
import { combineMounts, inheritedMounts, requestedMounts } from "./mounts.ts";
import type { NormalisedCreate } from "./normalise.ts";

/** What the plan needs besides the request: the image, the container's identity, and read-only look-ups. */
export interface PlanInputs {
  readonly image: Pick<Image, "id" | "layers" | "config" | "repoTags" | "repoDigests">;
  readonly id: ContainerId;
  readonly name: string;
  readonly owner: string | undefined;
  /** RFC 3339. */
  readonly createdAt: string;
  /** Looks up a container that the request refers to. Throws `invalid`, with `fault` applied to the message, if it does not exist. */
  readonly other: (ref: string, fault?: (message: string) => string) => Container;
  /** The folder of the service's state, whose mounts a container must not hold on to. */
  readonly stateDirectory: string;
  /** A fresh name for an anonymous volume. */
  readonly volumeName: () => string;
  /** The path of a local volume. */
  readonly mountpoint: (volume: string) => string;
  /** The image that a mount names. */
  readonly imageOf: (source: string) => Pick<Image, "id" | "layers">;
}

/** The planned container and what create has to make for it. */
export interface CreatePlan {
  readonly container: Container;
  /** One per mount of the container, in the same order. */
  readonly wishes: readonly MountWish[];
  readonly warnings: readonly string[];
  /** A working directory that the image may lack, which clients expect once the container is created; undefined for none. */
  readonly newFolder?: string;
}

/** The networks that a container joins, by name: those asked for, or the mode's; none if it shares another container's. */
function endpointsOf(
  networkMode: string,
  asked: Readonly<Record<string, EndpointRequest>>,
): Readonly<Record<string, EndpointRequest>> {
  const mode = networkName(networkMode);
  if (mode === undefined) return {};
  return Object.keys(asked).length === 0 ? { [mode]: {} } : asked;
}

/** Links as inspect shows them, `/db:/web/db`. Each one must name a container that the actor can see. */
function linksOf(
  links: readonly string[] | null,
  name: string,
  nameOf: (ref: string) => string,
): readonly string[] | null {
  return links?.map(parseLink).map(({ ref, alias }) => formatLink({ ref: nameOf(ref), alias }, name)) ?? null;
}

/** On a user network a link is a name that its name service resolves. */
function withLinks(
  endpoints: Readonly<Record<string, EndpointRequest>>,
  links: readonly string[] | null,
): Readonly<Record<string, EndpointRequest>> {
  const added = (links ?? []).map(parseLink).map(({ ref, alias }) => `${ref.replace(/^\//, "")}:${alias}`);
  const join = (name: string, endpoint: EndpointRequest): EndpointRequest =>
    name === "bridge" || added.length === 0 ? endpoint : { ...endpoint, Links: [...(endpoint.Links ?? []), ...added] };
  return Object.fromEntries(Object.entries(endpoints).map(([name, endpoint]) => [name, join(name, endpoint)]));
}

/** Whether one of two folders is in the other. */
function overlaps(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => (path.endsWith("/") ? path : `${path}/`));
  return a !== undefined && b !== undefined && (a.startsWith(b) || b.startsWith(a));
}

/**
 * A container that kept its own copy of the mounts of containers would keep their layers busy (moby `validateBindDaemonRoot`).
 * Throws `invalid` for a propagation that does.
 */
function assertPropagates(wishes: readonly MountWish[], stateDirectory: string): void {
  for (const wish of wishes) {
    if (wish.kind !== "bind" || ["", "rslave", "rshared"].includes(wish.propagation)) continue;
    if (overlaps(wish.source, stateDirectory))
      throw new EngineError(
        "invalid",
        `invalid mount config: must use either propagation mode "rslave" or "rshared" when mount source is within the daemon root, daemon root: "${stateDirectory}", bind mount source: "${wish.source}", propagation: "${wish.propagation}"`,
      );
  }
}

function mountPoint(wish: MountWish, { volumeName, mountpoint, imageOf, stateDirectory }: PlanInputs): MountPoint {
  if (wish.kind === "image") {
    const { id, layers } = imageOf(wish.source);
    const { destination, subpath } = wish;
    const part = subpath === undefined ? {} : { subpath };
    const point = { destination, readWrite: false, source: "", mode: "", propagation: "" };
    return { ...point, type: "image", name: wish.source, image: { id, layers }, ...part };
  }
  const common = { destination: wish.destination, readWrite: wish.readWrite };
  if (wish.kind === "tmpfs") return { ...common, type: "tmpfs", source: "", mode: "", propagation: "" };
  if (wish.kind === "bind")
    return {
      ...common,
      type: "bind",
      source: wish.source,
      mode: wish.mode,
      propagation: wish.propagation || (overlaps(wish.source, stateDirectory) ? "rslave" : "rprivate"),
      ...(wish.nonRecursive ? { nonRecursive: true } : {}),
      ...(wish.writableBelow ? { writableBelow: true } : {}),
    };
  const name = wish.name ?? volumeName();
  return {
    ...common,
    type: "volume",
    name,
    source: wish.source ?? mountpoint(name),
    driver: "local",
    mode: wish.mode,
    propagation: "",
    ...(wish.subpath === undefined ? {} : { subpath: wish.subpath }),
  };
}

/**
 * Replaces the reference in each `container:REF` mode with the container's id, as Docker does. One that names no container is refused,
 * but for the network's: that container may come later, and a start looks again.
 */
function settled(hostConfig: HostConfig, idOf: (ref: string) => ContainerId): HostConfig {
  function settle(mode: string): string {
    const ref = sharedContainer(mode);
    return ref === undefined ? mode : `container:${idOf(ref)}`;
  }
  function settleNetwork(mode: string): string {
    try {
      return settle(mode);
    } catch (thrown) {
      if (thrown instanceof EngineError && isEngineError(thrown.cause, "not-found")) return mode;
      throw thrown;
    }
  }
  return {
    ...hostConfig,
    NetworkMode: settleNetwork(hostConfig.NetworkMode),
    PidMode: settle(hostConfig.PidMode),
    IpcMode: settle(hostConfig.IpcMode),
  };
}

/**
 * Plans a container from a normalised request that passed the rules. Has no effects.
 * Throws `invalid` with Docker's message if ports, mounts, links or endpoints conflict.
 */
export function planCreate(request: NormalisedCreate, inputs: PlanInputs): CreatePlan {
  const { image, id, name, other } = inputs;
  const merged = mergeImage(request.config, image.config);
  if (commandOf(merged).length === 0) throw new EngineError("invalid", "No command specified");
  const hostConfig = settled(request.hostConfig, (ref) => other(ref).id);
  const ports = resolveCreatePorts(
    { ExposedPorts: request.config.ExposedPorts, PortSpecs: request.portSpecs, HostConfig: hostConfig },
    { ExposedPorts: image.config.ExposedPorts },
  );
  if (!ports.ok) throw new EngineError("invalid", ports.error.message);
  const inherited = orInvalid(inheritedMounts(hostConfig.VolumesFrom ?? [], (ref) => other(ref).mounts));
  const requested = orInvalid(requestedMounts(hostConfig));
  assertPropagates(requested, inputs.stateDirectory);
  const wishes = orInvalid(combineMounts(inherited, requested, Object.keys(merged.Volumes ?? {}), hostConfig));
  const links = linksOf(hostConfig.Links, name, (ref) => {
    try {
      return other(ref, (message) => `could not get container for ${ref}: ${message}`).name;
    } catch (thrown) {
      // On a user network a link is a name, whose container may come later.
      if (["default", "bridge", "host", "none"].includes(hostConfig.NetworkMode)) throw thrown;
      return ref;
    }
  });
  const endpoints = endpointsOf(hostConfig.NetworkMode, request.endpoints);
  const container: Container = {
    id,
    name,
    owner: inputs.owner,
    image: request.config.Image,
    imageId: image.id,
    imageNames: [...image.repoTags, ...image.repoDigests],
    layers: image.layers,
    createdAt: inputs.createdAt,
    config: { ...merged, Hostname: merged.Hostname || id.slice(0, 12), ExposedPorts: ports.value.exposedPorts },
    hostConfig: { ...hostConfig, PortBindings: ports.value.portBindings, Links: links },
    endpoints: withLinks(endpoints, links),
    ports: { exposed: ports.value.exposed, wishes: ports.value.wishes },
    mounts: wishes.map((wish) => mountPoint(wish, inputs)),
    state: CREATED,
    restartCount: 0,
    stoppedByUser: false,
    hostServices: false,
  };
  const { WorkingDir } = container.config;
  return {
    container,
    wishes,
    warnings: [...request.warnings, ...ports.value.warnings],
    ...(WorkingDir !== "" && WorkingDir !== "/" && WorkingDir !== image.config.WorkingDir && { newFolder: WorkingDir }),
  };
}
