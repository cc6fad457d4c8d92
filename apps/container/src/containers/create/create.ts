import { resolveCreatePorts } from "@berth/port-spec";
import type { Actor } from "../../engine/actor.ts";
import { EngineError, isEngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import type { EndpointRequest } from "../../networks/networks.ts";
import type { Context } from "../context.ts";
import type { CreateRequest, HostConfig } from "../records/config.ts";
import type { Container, MountPoint } from "../records/container.ts";
import { containerEvent } from "../records/container-event.ts";
import { containerName, inventName } from "../records/names.ts";
import { CREATED } from "../records/state.ts";
import { authorize } from "./authorize.ts";
import { resolveBinds } from "./bind-sources.ts";
import { parseLink } from "./links.ts";
import { commandOf, mergeImage } from "./merge-image.ts";
import { type MountWish, mountWishes } from "./mount-wishes.ts";
import { refusalOfCreate } from "./validate-create.ts";

/** The networks that a container is to join, by name; none where it uses the host's or another container's. */
function endpointsOf(
  networkMode: string,
  asked: Readonly<Record<string, EndpointRequest>>,
  macAddress: string | undefined,
): Readonly<Record<string, EndpointRequest>> {
  if (networkMode.startsWith("container:")) return {};
  const name = networkMode === "default" ? "bridge" : networkMode;
  const others = Object.keys(asked).filter((other) => other !== name && !(other === "default" && name === "bridge"));
  if (others.length > 0)
    throw new EngineError(
      "invalid",
      `Container cannot be connected to network endpoints: ${[name, ...others].join(", ")}`,
    );
  const endpoint = asked[name] ?? asked[networkMode] ?? {};
  return { [name]: macAddress && !endpoint.MacAddress ? { ...endpoint, MacAddress: macAddress } : endpoint };
}

/** Links as inspect shows them, `/db:/web/db`; each names a container that the actor sees. */
function linksOf(
  links: readonly string[] | null,
  name: string,
  nameOf: (ref: string) => string,
): readonly string[] | null {
  return links?.map(parseLink).map(({ ref, alias }) => `/${nameOf(ref)}:/${name}/${alias}`) ?? null;
}

/** On a user network a link is a name that its name service answers. */
function withLinks(
  endpoints: Readonly<Record<string, EndpointRequest>>,
  links: readonly string[] | null,
): Readonly<Record<string, EndpointRequest>> {
  const added = (links ?? []).map(parseLink).map(({ ref, alias }) => `${ref.replace(/^\//, "")}:${alias}`);
  const join = (name: string, endpoint: EndpointRequest): EndpointRequest =>
    name === "bridge" || added.length === 0 ? endpoint : { ...endpoint, Links: [...(endpoint.Links ?? []), ...added] };
  return Object.fromEntries(Object.entries(endpoints).map(([name, endpoint]) => [name, join(name, endpoint)]));
}

function mountPoint(wish: MountWish, { random, volumes }: Context): MountPoint {
  const common = { destination: wish.destination, readWrite: wish.readWrite };
  if (wish.kind === "tmpfs") return { ...common, type: "tmpfs", source: "", mode: "", propagation: "" };
  if (wish.kind === "bind")
    return { ...common, type: "bind", source: wish.source, mode: wish.mode, propagation: wish.propagation };
  const name = wish.name ?? random.volumeName();
  return {
    ...common,
    type: "volume",
    name,
    source: volumes.mountpoint(name),
    driver: "local",
    mode: wish.mode,
    propagation: "",
  };
}

/** Docker keeps the other container's id where the request named it. */
function settled(hostConfig: HostConfig, idOf: (ref: string) => ContainerId): HostConfig {
  const settle = (mode: string) =>
    mode.startsWith("container:") ? `container:${idOf(mode.slice("container:".length))}` : mode;
  return {
    ...hostConfig,
    NetworkMode: settle(hostConfig.NetworkMode || "default"),
    PidMode: settle(hostConfig.PidMode),
    IpcMode: settle(hostConfig.IpcMode || "private"),
    LogConfig: { ...hostConfig.LogConfig, Type: hostConfig.LogConfig.Type || "json-file" },
    ShmSize: hostConfig.ShmSize || 64 * 1024 * 1024,
  };
}

/**
 * A container that the request stands on. One that is not there is no 404: clients take that for a missing image, and pull.
 * `fault` makes the message of it, which is moby's for what the container is asked for.
 */
function resolved({ registry }: Context, actor: Actor) {
  return (ref: string, fault: (message: string) => string = (message) => message): Container => {
    try {
      return registry.resolve(actor, ref);
    } catch (thrown) {
      if (!isEngineError(thrown, "not-found")) throw thrown;
      throw new EngineError("invalid", fault(thrown.message));
    }
  };
}

async function makeVolumes(context: Context, container: Container, wishes: readonly MountWish[]): Promise<void> {
  const empty: { readonly path: string; readonly volume: string }[] = [];
  for (const [index, wish] of wishes.entries()) {
    const point = container.mounts[index];
    if (!point) continue;
    if (wish.kind === "bind" && (await context.files.bindSource(wish.source, { make: wish.makeSource })) === "absent")
      throw new EngineError(
        "invalid",
        `invalid mount config for type "bind": bind source path does not exist: ${wish.source}`,
      );
    if (wish.kind !== "volume" || point.name === undefined) continue;
    await context.volumes.create({
      name: point.name,
      anonymous: wish.name === undefined,
      owner: container.owner,
      driver: wish.driver,
      options: wish.options,
      labels: wish.labels,
    });
    await context.volumes.ready(point.name);
    if (wish.copy) empty.push({ path: wish.destination, volume: point.source });
  }
  if (empty.length === 0) return;
  await context.runtime.withRootfs(container.id, async (root) => {
    for (const { path, volume } of empty) await context.files.populate(root, path, volume);
  });
}

/** Everything that `create` made, taken away: after a failure, and by the reconciler after a crash. */
export async function undoCreate(context: Context, container: Container): Promise<void> {
  await context.runtime.remove(container.id);
  await context.files.remove(container.id);
  await removeAnonymousVolumes(context, container);
  await context.registry.delete(container.id);
}

export async function removeAnonymousVolumes({ volumes, registry }: Context, container: Container): Promise<void> {
  const inUse = new Set(
    registry.all().flatMap(({ id, mounts }) => (id === container.id ? [] : mounts.map(({ name }) => name ?? ""))),
  );
  for (const { name } of container.mounts) {
    if (name !== undefined && !inUse.has(name) && volumes.find(name)?.anonymous)
      await volumes.remove(name, { force: true, inUse });
  }
}

/**
 * `POST /containers/create`: checks the whole request, writes the row, then makes the root file system and the volumes.
 * Nothing is taken on the host yet: ports conflict at start, as in Docker.
 */
export async function createContainer(
  context: Context,
  actor: Actor,
  request: CreateRequest,
): Promise<{ readonly id: ContainerId; readonly warnings: readonly string[] }> {
  const { registry, runtime, images, clock, random } = context;
  const refusal = refusalOfCreate(request, context.host);
  if (refusal !== undefined) throw new EngineError("invalid", refusal);
  const name = request.name === undefined ? undefined : containerName(request.name);
  if (request.config.Image === "")
    throw new EngineError("invalid", "no image specified: Image is required, a reference such as busybox:latest");
  const image = await images.get(request.config.Image, { platform: request.platform });
  const merged = mergeImage(request.config, image.config);
  if (commandOf(merged).length === 0) throw new EngineError("invalid", "No command specified");
  const other = resolved(context, actor);
  const hostConfig = settled(request.hostConfig, (ref) => other(ref).id);
  const ports = resolveCreatePorts(
    { ExposedPorts: request.config.ExposedPorts, PortSpecs: request.portSpecs, HostConfig: hostConfig },
    { ExposedPorts: image.config.ExposedPorts },
  );
  if (!ports.ok) throw new EngineError("invalid", ports.error.message);
  const wishes = mountWishes(merged, hostConfig, (ref) => other(ref).mounts);
  const id = random.containerId();
  const named = name ?? inventName(random.below, (candidate) => registry.isTaken(candidate));
  const links = linksOf(
    hostConfig.Links,
    named,
    (ref) => other(ref, (message) => `could not get container for ${ref}: ${message}`).name,
  );
  const endpoints = endpointsOf(hostConfig.NetworkMode, request.endpoints, request.config.MacAddress);
  const container: Container = {
    id,
    name: named,
    owner: actor.id,
    image: request.config.Image,
    imageId: image.id,
    layers: image.layers,
    createdAt: clock.now(),
    config: { ...merged, Hostname: merged.Hostname || id.slice(0, 12), ExposedPorts: ports.value.exposedPorts },
    hostConfig: { ...hostConfig, PortBindings: ports.value.portBindings, Links: links },
    endpoints: withLinks(endpoints, links),
    ports: { exposed: ports.value.exposed, wishes: ports.value.wishes },
    mounts: await resolveBinds(
      context,
      actor,
      wishes.map((wish) => mountPoint(wish, context)),
    ),
    state: CREATED,
    restartCount: 0,
    stoppedByUser: false,
  };
  if (actor.kind === "user" && wishes.some((wish) => wish.kind === "volume" && Object.keys(wish.options).length > 0))
    throw new EngineError("forbidden", "denied by policy: only an administrator mounts a volume with driver options");
  // Its name is known from its row on: who starts or removes it by that waits until it is whole.
  await context.locks.hold(id, async () => {
    await context.owners.hold(actor.id ?? "", async () => {
      await authorize(context, actor, container);
      await registry.insert(container, { kind: "create" });
    });
    try {
      await runtime.create(id, image.layers);
      // There from the first moment for who copies them, as in Docker; a start says what is in them.
      await context.files.write(id, { hosts: "", hostname: "", resolvConf: "" });
      await makeVolumes(context, container, wishes);
      await registry.update(id, (made) => made, "done");
    } catch (thrown) {
      await undoCreate(context, container);
      throw thrown;
    }
  });
  containerEvent(context, container, "create");
  return { id, warnings: [...request.warnings, ...ports.value.warnings] };
}
