import { join } from "node:path";
import { EngineError, isEngineError } from "../engine/errors.ts";
import { referencesOf, type StoredImage } from "../images/catalogue.ts";
import { shortId, tell } from "../images/context.ts";
import type { Progress } from "../images/images.ts";
import { formatFamiliar, formatReference, type Reference } from "../images/reference/reference.ts";
import { visibleImages } from "../policy/images.ts";
import { BaseImages } from "./base-images.ts";
import type { BuilderJob, BuildNetwork } from "./builder.ts";
import type { BuildRequest } from "./builds.ts";
import { useFetched } from "./context/remote.ts";
import { type BuildPlan, formatPlan } from "./dockerfile/plan.ts";
import { type DoorTarget, formatDoorName } from "./door/names.ts";
import type { Lines } from "./lines.ts";
import { claimNetwork } from "./network.ts";
import { type PreparedBuild, planContext } from "./prepare-build.ts";
import type { Build, WorkContext } from "./work-context.ts";

/** How often the free space of the disk is looked at while a build runs. */
const DISK_CHECK_MS = 1000;

/**
 * Builds in its turn, and writes what there is to tell into `lines`. Returns the line that tells of a failure, which a client gets once
 * nothing of the build is left.
 */
export async function runBuild(
  context: WorkContext,
  build: Build,
  prepared: PreparedBuild,
  lines: Lines<Progress>,
): Promise<Progress | undefined> {
  const disk = new AbortController();
  const timer = setInterval(() => {
    context.imageContext.quota.free().catch((thrown: unknown) => disk.abort(thrown));
  }, DISK_CHECK_MS);
  const signal = AbortSignal.any([build.signal, disk.signal]);
  const onWait = () => void lines.push({ stream: "Waiting for other builds\n" });
  try {
    return await context.queue.run(
      build.owner,
      signal,
      () => work(context, { ...build, signal }, prepared, lines),
      onWait,
    );
  } catch (thrown) {
    const reason: unknown = signal.aborted ? signal.reason : thrown;
    if (!isEngineError(reason) && !signal.aborted) context.log.error({ err: reason, build: build.id }, "build failed");
    return failureLine(
      isEngineError(reason) ? reason.message : signal.aborted ? "the build was called off" : "internal error",
    );
  } finally {
    clearInterval(timer);
  }
}

function failureLine(message: string, code?: number): Progress {
  return { errorDetail: { ...(code === undefined ? {} : { code }), message }, error: message };
}

type Show = (line: Progress) => Promise<void>;

async function work(
  context: WorkContext,
  build: Build,
  prepared: PreparedBuild,
  lines: Lines<Progress>,
): Promise<Progress | undefined> {
  const { actor, request, signal, id } = build;
  const { builder, door, images, imageContext } = context;
  const { catalogue } = imageContext.library;
  const show: Show = async (line) => {
    if (request.output === "all") await lines.push(line);
  };
  const wish = { id, mode: request.networkMode, extraHosts: request.extraHosts };
  const network = await claimNetwork(context.sources, actor, wish);
  const { plan, folder } = await sourceOf(context, build, prepared, { network, show });
  const bases = new BaseImages({ images, context: imageContext, actor, request, signal, report: show });
  const targets = new Map(plan.images.map((name) => [name, bases.target(name)]));
  const sees = visibleImages(actor);
  const options = {
    images: imageContext,
    signal,
    resolve: async (target: DoorTarget) => {
      const image = await bases.resolve(target);
      await show({ stream: ` ---> ${shortId(image.id)}\n` });
      return image;
    },
    sees: (image: StoredImage) => sees?.([image.id, ...referencesOf(catalogue, image.id).map(formatReference)]) ?? true,
  };
  return door.during(options, async (key) => {
    const job: BuilderJob = {
      id,
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
      limits: prepared.limits,
      door: key,
      signal,
    };
    const outcome = await builder.build(job, (line) => show({ stream: line }));
    if (outcome.kind === "failed") {
      if (key.session.failure !== undefined) throw key.session.failure.thrown;
      return failureLine(outcome.failure.message, outcome.failure.code);
    }
    const known = catalogue.images.get(outcome.image);
    if (known === undefined) await builder.push(job, outcome.image);
    const image = known ?? key.session.result;
    if (image === undefined) throw new EngineError("failed", "the builder gave no image");
    await finish(context, image, prepared.tags, { lines, show, request });
    return undefined;
  });
}

/** The build's plan and the folder of its context, fetched first where it is elsewhere. */
async function sourceOf(
  { builder, files }: WorkContext,
  build: Build,
  { source, limits }: PreparedBuild,
  { network, show }: { readonly network: BuildNetwork; readonly show: Show },
): Promise<{ readonly plan: BuildPlan; readonly folder: string }> {
  const { id, folders, signal } = build;
  if (source.kind === "here") return { plan: source.plan, folder: folders.context };
  const { remote } = source;
  await show({ stream: `Downloading build context from remote url: ${remote.url}\n` });
  const fetched = join(folders.work, "fetched");
  await builder.fetch({ id, folders, network, limits, signal, folder: fetched }, remote);
  const folder = await useFetched(files, remote, { fetched, context: folders.context, left: limits.storage });
  return { plan: await planContext(build, folder), folder };
}

/** With `cachefrom`, steps are taken from the cache only where one of the named images is there, as in the classic builder. */
function sourcesFor({ cacheFrom }: BuildRequest, bases: BaseImages): boolean {
  return cacheFrom.length === 0 || cacheFrom.some((name) => bases.isSource(name));
}

async function finish(
  { imageContext: context }: WorkContext,
  image: StoredImage,
  tags: readonly Reference[],
  {
    lines,
    show,
    request,
  }: {
    readonly lines: Lines<Progress>;
    readonly show: (line: Progress) => Promise<void>;
    readonly request: BuildRequest;
  },
): Promise<void> {
  await lines.push({ aux: { ID: image.id } });
  await show({ stream: `Successfully built ${shortId(image.id)}\n` });
  for (const tag of tags) {
    await context.library.name(tag, image.id);
    tell(context, "tag", image.id, formatFamiliar(tag));
    await show({ stream: `Successfully tagged ${formatFamiliar(tag)}\n` });
  }
  if (request.output === "id") await lines.push({ stream: `${image.id}\n` });
}
