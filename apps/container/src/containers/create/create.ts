import type { Actor } from "../../engine/actor.ts";
import { EngineError, isEngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import { joinFaults, validateEndpoint } from "../../networks/endpoint-rules.ts";
import { isNameOfNone } from "../../networks/networks.ts";
import { imageNamer } from "../../policy/images.ts";
import { assertVolumeOptionsAllowed } from "../../policy/mounts.ts";
import { holdQuotas } from "../../policy/shared-quotas.ts";
import type { Context } from "../context.ts";
import type { CreateRequest } from "../records/config.ts";
import type { Container } from "../records/container.ts";
import { containerEvent } from "../records/container-event.ts";
import { settledEndpoints } from "../records/joined-networks.ts";
import { containerName, inventName } from "../records/names.ts";
import { type AuthorizeContext, authorize } from "./authorize.ts";
import { resolveBinds } from "./bind-sources.ts";
import { DEFAULT_DRIVER, type MountWish } from "./mount-requests.ts";
import { type NormalisedCreate, normalise } from "./normalise.ts";
import { type CreatePlan, type PlanInputs, planCreate } from "./plan.ts";
import { validateCreate } from "./rules/create.ts";

/**
 * Looks up a container that the request refers to. A missing one is 400, not 404: clients take a 404 for a missing image and pull it.
 */
function resolved({ registry }: Pick<Context, "registry">, actor: Actor) {
  return (ref: string, fault: (message: string) => string = (message) => message): Container => {
    try {
      return registry.resolve(actor, ref);
    } catch (thrown) {
      if (!isEngineError(thrown, "not-found")) throw thrown;
      throw new EngineError("invalid", fault(thrown.message), { cause: thrown });
    }
  };
}

async function makeVolumes(
  context: Pick<Context, "runtime" | "volumes" | "files">,
  container: Container,
  wishes: readonly MountWish[],
): Promise<void> {
  const empty: { readonly path: string; readonly volume: string; readonly subpath?: string }[] = [];
  for (const [index, wish] of wishes.entries()) {
    const point = container.mounts[index];
    if (!point) continue;
    // Who may only read a folder makes nothing in it; `real` is set for a user's bind alone.
    const make = wish.kind === "bind" && wish.makeSource && (wish.readWrite || point.real === undefined);
    if (wish.kind === "bind" && (await context.files.bindSource(point.real ?? wish.source, { make })) === "absent")
      throw new EngineError(
        "invalid",
        `invalid mount config for type "bind": bind source path does not exist: ${wish.source}`,
      );
    if (wish.kind !== "volume" || point.name === undefined) continue;
    // Another driver than the volume's is refused.
    if (context.volumes.at(point.source) === undefined || wish.driver !== DEFAULT_DRIVER)
      await context.volumes.create({
        name: point.name,
        anonymous: wish.name === undefined,
        owner: container.owner,
        driver: wish.driver,
        options: wish.options,
        labels: wish.labels,
      });
    await context.volumes.ready(point.source);
    if (!wish.copy) continue;
    const { destination: path, subpath } = wish;
    empty.push({ path, volume: point.source, ...(subpath !== undefined && { subpath }) });
  }
  if (empty.length === 0) return;
  await context.runtime.withRootfs(container.id, async (root) => {
    for (const { path, ...place } of empty) await context.files.populate(root, path, place);
  });
}

/** Removes everything that `create` made, after a failure or, through the reconciler, after a crash. */
export async function undoCreate(
  context: Pick<Context, "registry" | "runtime" | "volumes" | "files">,
  container: Container,
): Promise<void> {
  await context.runtime.remove(container.id);
  await context.files.remove(container.id);
  await removeAnonymousVolumes(context, container);
  await context.registry.delete(container.id);
}

export async function removeAnonymousVolumes(
  { volumes, registry }: Pick<Context, "registry" | "volumes">,
  container: Container,
): Promise<void> {
  const inUse = new Set(
    registry.all().flatMap(({ id, mounts }) => (id === container.id ? [] : mounts.map(({ source }) => source))),
  );
  for (const { source } of container.mounts) {
    const volume = volumes.at(source);
    if (volume?.anonymous && !inUse.has(source)) await volumes.remove(volume, { inUse });
  }
}

/** Checks the rules and sets the defaults. Throws `invalid` with Docker's message. */
export function checked(context: Pick<Context, "host">, request: CreateRequest): NormalisedCreate {
  const normalised = normalise(request, context.host);
  const refusal = validateCreate(normalised, context.host);
  if (refusal !== undefined) throw new EngineError("invalid", refusal);
  if (normalised.config.Image === "")
    throw new EngineError("invalid", "no image specified: Image is required, a reference such as busybox:latest");
  return normalised;
}

/** Checks the endpoints of networks that exist. Throws `invalid` with all faults (moby `validateNetworkingConfig`). */
function checkEndpoints(
  { networks }: Pick<Context, "networks">,
  actor: Actor,
  endpoints: Container["endpoints"],
): void {
  const faults = Object.entries(endpoints).flatMap(([name, endpoint]) => {
    const network = networkNamed(networks, name, actor);
    const fault = validateEndpoint(name, network, endpoint);
    return fault === undefined ? [] : [`invalid config for network ${name}: ${fault}`];
  });
  if (faults.length > 0) throw new EngineError("invalid", joinFaults(faults));
}

/** The network that a create names; undefined for a name of none, which a start looks up again (moby `validateNetworkingConfig`). */
function networkNamed(networks: Pick<Context["networks"], "get">, name: string, actor: Actor) {
  try {
    return networks.get(name, actor);
  } catch (thrown) {
    if (!isNameOfNone(thrown)) throw thrown;
    return undefined;
  }
}

/** The images that mounts of the request, or of containers whose mounts it inherits, name. Throws `not-found`. */
async function mountedImages(
  context: Pick<Context, "registry" | "images">,
  actor: Actor,
  { hostConfig: { Mounts, VolumesFrom } }: NormalisedCreate,
) {
  const asked = (Mounts ?? []).flatMap(({ Type, Source = "" }) => (Type === "image" && Source !== "" ? [Source] : []));
  const donors = (VolumesFrom ?? []).flatMap((from) => context.registry.find(actor, from.split(":")[0] ?? "") ?? []);
  const inherited = donors.flatMap(({ mounts }) => mounts.flatMap(({ image }) => image?.id ?? []));
  const found = [...new Set([...asked, ...inherited])].map(
    async (source) => [source, await context.images.get(source, { viewer: imageNamer(actor) })] as const,
  );
  return new Map(await Promise.all(found));
}

/** What a plan reads. */
export type PlanContext = Pick<
  Context,
  "registry" | "images" | "networks" | "volumes" | "files" | "clock" | "random" | "host"
>;

/** The image that the request names. Throws `not-found`, and `invalid` for one of another system than Linux. */
export async function imageOf(
  { images }: Pick<Context, "images">,
  actor: Actor,
  { config, platform }: NormalisedCreate,
) {
  const image = await images.get(config.Image, { platform, viewer: imageNamer(actor) });
  if (image.os === "linux") return image;
  throw new EngineError("invalid", `image operating system "${image.os}" cannot be used on this platform`);
}

/** Plans the container that the request describes, without an effect. Throws what `create` would before it asks the policy. */
export async function planFor(
  context: PlanContext,
  actor: Actor,
  request: NormalisedCreate,
  image: PlanInputs["image"],
): Promise<CreatePlan> {
  const { registry, clock, random, volumes } = context;
  const name = request.name === undefined ? undefined : containerName(request.name);
  const mounted = await mountedImages(context, actor, request);
  const { container, ...rest } = planCreate(request, {
    image,
    id: random.containerId(),
    name: name ?? inventName(random.below, (candidate) => registry.isTaken(actor.id, candidate)),
    owner: actor.id,
    createdAt: clock.now(),
    other: resolved(context, actor),
    stateDirectory: context.host.stateDirectory,
    volumeName: random.volumeName,
    mountpoint: (volume) => volumes.mountpoint(volume, actor),
    imageOf: (source) => {
      const found = mounted.get(source);
      if (found === undefined) throw new EngineError("not-found", `No such image: ${source}`);
      return found;
    },
  });
  checkEndpoints(context, actor, container.endpoints);
  const mounts = await resolveBinds(context, actor, container.mounts);
  return { ...rest, container: { ...container, mounts, endpoints: settledEndpoints(context, actor, container) } };
}

/** Creates what the row describes. A failed step undoes everything, including the row. */
async function make(
  context: Pick<Context, "registry" | "runtime" | "volumes" | "files">,
  { container, wishes, newFolder }: CreatePlan,
): Promise<void> {
  const { id } = container;
  try {
    const mounted = container.mounts.flatMap(({ image }) => image?.layers ?? []);
    await context.runtime.create(id, container.layers, { mounted });
    // Clients may copy these files before the first start, as in Docker; a start fills them.
    await context.files.write(id, { hosts: "", hostname: "", resolvConf: "" });
    await makeVolumes(context, container, wishes);
    if (newFolder !== undefined)
      await context.runtime.withRootfs(id, (root) => context.files.makeFolder(root, newFolder));
    await context.registry.update(id, (made) => made, "done");
  } catch (thrown) {
    await undoCreate(context, container);
    throw thrown;
  }
}

type CreateContext = AuthorizeContext &
  Pick<Context, "locks" | "owners" | "runtime" | "events" | "clock" | "random" | "placeGroup">;

/**
 * Asks the policy, writes the row and creates the container.
 *
 * @param naming `invented` where the plan chose the name.
 * @returns `name-taken`, with nothing created, if a concurrent create took an invented name after the plan chose it.
 */
function createPlanned(
  context: CreateContext,
  actor: Actor,
  planned: CreatePlan,
  naming: "given" | "invented",
): Promise<"created" | "name-taken"> {
  const { registry, locks, owners } = context;
  const { container } = planned;
  // The row makes the name visible: the lock delays a start or removal by name until the container is complete.
  return locks.hold(container.id, async () => {
    const written = await holdQuotas(owners, actor, actor.id, async () => {
      context.placeGroup(container.owner);
      await authorize(context, actor, container);
      if (naming === "invented" && registry.isTaken(container.owner, container.name)) return false;
      await registry.insert(container, { kind: "create" });
      return true;
    });
    if (!written) return "name-taken";
    await make(context, planned);
    if (container.owner !== undefined) context.storage.wrote(container.owner);
    return "created";
  });
}

/**
 * `POST /containers/create`: normalises and checks the request, plans the container, asks the policy, writes the row, then creates the
 * root file system and the volumes. Acquires no ports: they conflict at start, as in Docker.
 *
 * @returns the id and Docker's warnings.
 */
export async function createContainer(
  context: CreateContext,
  actor: Actor,
  request: CreateRequest,
): Promise<{ readonly id: ContainerId; readonly warnings: readonly string[] }> {
  const normalised = checked(context, request);
  const naming = request.name === undefined ? "invented" : "given";
  for (;;) {
    const planned = await planFor(context, actor, normalised, await imageOf(context, actor, normalised));
    const { container, wishes, warnings } = planned;
    for (const wish of wishes) if (wish.kind === "volume") assertVolumeOptionsAllowed(actor, wish.options);
    if ((await createPlanned(context, actor, planned, naming)) === "name-taken") continue;
    containerEvent(context, container, "create");
    return { id: container.id, warnings };
  }
}
