import { join } from "node:path";
import type { Actor } from "../engine/actor.ts";
import { EngineError, isEngineError } from "../engine/errors.ts";
import { type StoredImage, visibleCatalogue } from "../images/catalogue.ts";
import { shortId } from "../images/context.ts";
import type { Progress } from "../images/images.ts";
import { nameImage } from "../images/name-image.ts";
import { formatFamiliar } from "../images/reference/reference.ts";
import type { DecidedLimits } from "../policy/builds.ts";
import { assertHostReachAllowed, mayReachHost } from "../policy/containers.ts";
import { imageNamer, imageViewer } from "../policy/images.ts";
import { holdingQuotas } from "./authorize-build.ts";
import { authFrom, BaseImages } from "./base-images.ts";
import type { BuilderJob, BuildNetwork } from "./builder.ts";
import type { BuildRequest } from "./builds.ts";
import { useFetched } from "./context/remote.ts";
import { type BuildPlan, formatPlan } from "./dockerfile/plan.ts";
import { triggersFault } from "./dockerfile/rules.ts";
import { type DoorTarget, formatDoorName, RESULT_REPOSITORY } from "./door/names.ts";
import type { SessionOptions } from "./door/session.ts";
import type { Lines } from "./lines.ts";
import { namesOf } from "./name-result.ts";
import { claimNetwork } from "./network.ts";
import { type PreparedBuild, planContext } from "./prepare-build.ts";
import { assertResultFits } from "./result.ts";
import { type BuildInputs, cachedLines, findResult, keepResult } from "./results.ts";
import { watchStorage } from "./watch-storage.ts";
import type { Build, WorkContext } from "./work-context.ts";

/** How a build ended. */
export interface BuildEnd {
  /** The line that tells of a failure, which a client gets once nothing of the build is left. */
  readonly failure?: Progress;
  /** Whether what the owner's cache takes has to be measured. */
  readonly cache: "changed" | "unchanged";
}

/**
 * Builds in its turn, and writes what there is to tell into `lines`. Returns how it ended.
 */
export async function runBuild(
  context: WorkContext,
  build: Build,
  prepared: PreparedBuild,
  lines: Lines<Progress>,
): Promise<BuildEnd> {
  const disk = new AbortController();
  const ended = new AbortController();
  void watchStorage(context, build, ended.signal).catch((thrown: unknown) => disk.abort(thrown));
  const signal = AbortSignal.any([build.signal, disk.signal]);
  const onWait = () => void lines.push({ stream: "Waiting for other builds\n" });
  const show: Show = async (line) => {
    if (build.request.output === "all") await lines.push(line);
  };
  try {
    return await context.queue.run(
      build.owner,
      signal,
      () =>
        holdingQuotas(context, build, (limits) =>
          work(context, { ...build, signal }, prepared, { lines, show, limits }),
        ),
      onWait,
    );
  } catch (thrown) {
    const reason: unknown = signal.aborted ? signal.reason : thrown;
    if (!isEngineError(reason) && reason !== build.signal.reason)
      context.log.error({ err: reason, build: build.id }, "build failed");
    const told = isEngineError(reason)
      ? reason.message
      : signal.aborted
        ? "the build was called off"
        : "internal error";
    return { failure: failureLine(told), cache: "changed" };
  } finally {
    ended.abort();
  }
}

function failureLine(message: string, code?: number): Progress {
  return { errorDetail: { ...(code === undefined ? {} : { code }), message }, error: message };
}

type Show = (line: Progress) => Promise<void>;

interface Telling {
  readonly lines: Lines<Progress>;
  readonly show: Show;
}

async function work(
  context: WorkContext,
  build: Build,
  prepared: PreparedBuild,
  { lines, show, limits }: Telling & { readonly limits: DecidedLimits },
): Promise<BuildEnd> {
  const { rights, request, signal, id } = build;
  const { builder, door, images, imageContext } = context;
  const bases = new BaseImages({
    images,
    context: imageContext,
    rights,
    request,
    authFor: async (domain) => authFrom(request.auths, domain),
    signal,
    report: show,
  });
  const inputs = await inputsOf(build, prepared, bases);
  const cached = inputs && request.cache === "use" ? await findResult(build.folders.cache, inputs) : undefined;
  const found = cached && seenBy(context, rights.actor, cached.image);
  if (cached !== undefined && found !== undefined) {
    for (const line of cachedLines(cached)) await show({ stream: line });
    await finish(context, build, { image: found, stages: cached.stages }, { tags: prepared.tags, lines, show });
    return { cache: "unchanged" };
  }
  const told: string[] = [];
  const tell: Show = async (line) => {
    if (line.stream !== undefined && told.length < MOST_TOLD) told.push(line.stream);
    await show(line);
  };
  const wish = { id, mode: request.networkMode, extraHosts: request.extraHosts };
  const network = await claimNetwork(context.sources, rights.actor, wish);
  if (rights.actor.kind === "user" && mayReachHost(rights.actor)) rights.need(assertHostReachAllowed);
  const { plan, folder } = await sourceOf(context, build, prepared, { network, show, limits });
  const targets = new Map(plan.images.map((name) => [name, bases.target(name)]));
  return door.during(sessionOf(context, build, { bases, plan, tags: prepared.tags, show: tell }), async (key) => {
    const job: BuilderJob = {
      id,
      owner: build.owner,
      request,
      steps: plan.steps,
      dockerfile: formatPlan(plan, (name) => {
        const target = targets.get(name);
        if (target === undefined) throw new Error(`${name} was not planned`);
        return formatDoorName(target);
      }),
      cache: request.cache === "ignore" || !sourcesFor(request, bases) ? "ignore" : "use",
      folders: { ...build.folders, context: folder },
      network,
      limits,
      door: key,
      signal,
    };
    const outcome = await builder.build(job, (line) => tell({ stream: line }));
    if (outcome.kind === "failed") {
      if (key.session.failure !== undefined) throw key.session.failure.thrown;
      return { failure: failureLine(outcome.failure.message, outcome.failure.code), cache: "changed" };
    }
    const known = seenBy(context, rights.actor, outcome.image);
    if (known === undefined) await builder.push(job, outcome.image);
    const image = known ?? key.session.result(RESULT_REPOSITORY)?.image;
    if (image === undefined) throw new EngineError("failed", "the builder gave no image");
    const { stages } = outcome;
    if (inputs !== undefined) await keepResult(build.folders.cache, inputs, { image: image.id, stages, lines: told });
    await finish(context, build, { image, stages }, { tags: prepared.tags, lines, show });
    return { cache: "changed" };
  });
}

/** Lines of output that are looked through for steps. */
const MOST_TOLD = 10_000;

/** An image that the actor sees. */
function seenBy({ imageContext }: WorkContext, actor: Actor, image: string): StoredImage | undefined {
  return visibleCatalogue(imageContext.library.catalogue, imageViewer(actor)).images.get(image);
}

/** What the result depends on; undefined where something of it is elsewhere. */
async function inputsOf(
  { request }: Build,
  { source }: PreparedBuild,
  bases: BaseImages,
): Promise<BuildInputs | undefined> {
  const { cacheFrom } = request;
  if (source.kind !== "here" || cacheFrom.length > 0 || source.plan.urls.length > 0) return undefined;
  const ids: Record<string, string> = {};
  for (const name of source.plan.images) {
    const image = await bases.resolve(bases.target(name));
    // A trigger may be about files elsewhere.
    if ((image.configuration.config?.OnBuild ?? []).length > 0) return undefined;
    ids[name] = image.id;
  }
  return { context: source.digest, request, bases: ids };
}

/** What the door shows the builder and takes from it. */
function sessionOf(
  context: WorkContext,
  { id, rights, signal }: Build,
  {
    bases,
    plan,
    tags,
    show,
  }: Pick<PreparedBuild, "tags"> & { readonly bases: BaseImages; readonly plan: BuildPlan; readonly show: Show },
): SessionOptions {
  const { imageContext } = context;
  const viewer = imageViewer(rights.actor);
  return {
    images: imageContext,
    signal,
    resolve: async (target: DoorTarget) => {
      const image = await bases.resolve(target);
      const fault = triggersFault(image.configuration.config?.OnBuild ?? []);
      if (fault !== undefined) throw new EngineError("invalid", `the base image's ${fault}`);
      await show({ stream: ` ---> ${shortId(image.id)}\n` });
      return image;
    },
    visible: () => visibleCatalogue(imageContext.library.catalogue, imageViewer(rights.actor)),
    own: () => viewer && { owner: viewer.owner, sources: bases.sources(plan) },
    accept: async ({ image, images }) => {
      assertResultFits(context, rights.actor, images);
      await context.store.note(id, namesOf({ image }, tags, imageNamer(rights.actor)?.owner));
    },
  };
}

/** The build's plan and the folder of its context, fetched first where it is elsewhere. */
async function sourceOf(
  { builder, files }: WorkContext,
  build: Build,
  { source }: PreparedBuild,
  { network, show, limits }: { readonly network: BuildNetwork; readonly show: Show; readonly limits: DecidedLimits },
): Promise<{ readonly plan: BuildPlan; readonly folder: string }> {
  const { id, owner, folders, signal } = build;
  if (source.kind === "here") return { plan: source.plan, folder: folders.context };
  const { remote } = source;
  await show({ stream: `Downloading build context from remote url: ${remote.url}\n` });
  const fetched = join(folders.work, "fetched");
  await builder.fetch({ id, owner, folders, network, limits, signal, folder: fetched }, remote);
  const context = await useFetched(files, remote, { fetched, context: folders.context, left: limits.storage });
  return { plan: await planContext(build, context), folder: context.folder };
}

/** With `cachefrom`, steps are taken from the cache only where one of the named images is there, as in the classic builder. */
function sourcesFor({ cacheFrom }: BuildRequest, bases: BaseImages): boolean {
  return cacheFrom.length === 0 || cacheFrom.some((name) => bases.isSource(name));
}

async function finish(
  { imageContext: context, store }: WorkContext,
  { id, rights, request }: Build,
  { image, stages }: { readonly image: StoredImage; readonly stages: readonly string[] },
  { tags, lines, show }: Telling & Pick<PreparedBuild, "tags">,
): Promise<void> {
  const namer = imageNamer(rights.actor)?.owner;
  // Also for an image that was here before: it gets all of its names or none.
  await store.note(id, namesOf({ image }, tags, namer));
  // As dockerd does, for each stage; clients take the last for the result.
  for (const id of [...stages, image.id]) await lines.push({ aux: { ID: id } });
  await show({ stream: `Successfully built ${shortId(image.id)}\n` });
  for (const tag of tags) {
    await nameImage(context, tag, { image }, namer);
    await show({ stream: `Successfully tagged ${formatFamiliar(tag)}\n` });
  }
  if (request.output === "id") await lines.push({ stream: `${image.id}\n` });
}
