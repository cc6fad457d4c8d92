import type { ArchiveFiles } from "../containers/archive/files.ts";
import type { Actor } from "../engine/actor.ts";
import { EngineError, isEngineError } from "../engine/errors.ts";
import { isHostOnly } from "../engine/host-addresses.ts";
import type { HostDefaults } from "../engine/host-defaults.ts";
import type { Log } from "../engine/log.ts";
import type { StoredImage } from "../images/catalogue.ts";
import { referencesOf } from "../images/catalogue.ts";
import type { ImageContext } from "../images/context.ts";
import { shortId, tell } from "../images/context.ts";
import type { Images, Progress } from "../images/images.ts";
import type { Reference } from "../images/reference/reference.ts";
import {
  formatFamiliar,
  formatReference,
  parseReference,
  referenceMessage,
  withDefaultTag,
} from "../images/reference/reference.ts";
import { assertBuildAllowed, assertSourceAllowed, type DecidedLimits } from "../policy/builds.ts";
import type { DecidedContainer } from "../policy/facts.ts";
import { visibleImages } from "../policy/images.ts";
import { BaseImages } from "./base-images.ts";
import type { Builder, BuilderJob, BuildFolders } from "./builder.ts";
import type { BuildRequest } from "./builds.ts";
import { takeDockerfile, unpackContext } from "./context/context.ts";
import { parseDockerfile } from "./dockerfile/parse.ts";
import { type BuildPlan, formatPlan, planBuild } from "./dockerfile/plan.ts";
import type { Door, DoorKey } from "./door/door.ts";
import { formatDoorName } from "./door/names.ts";
import type { Lines } from "./lines.ts";
import { assertNetwork, claimNetwork, type NetworkSources } from "./network.ts";
import type { BuildQueue } from "./queue.ts";

/** What the work of builds depends on. */
export interface WorkContext {
  readonly builder: Builder;
  readonly door: Door;
  readonly images: Pick<Images, "pull">;
  readonly imageContext: ImageContext;
  readonly sources: NetworkSources;
  readonly files: Pick<ArchiveFiles, "write">;
  readonly host: HostDefaults;
  /** What the owner's containers take of its quotas. */
  readonly containersOf: (owner: string) => readonly DecidedContainer[];
  /** Bytes that the owner's containers and volumes take. */
  readonly storageOf: (owner: string) => number;
  readonly queue: BuildQueue;
  readonly log: Log;
}

/** One build, with what it was given so far. */
export interface Build {
  readonly id: string;
  readonly actor: Actor;
  readonly request: BuildRequest;
  readonly folders: BuildFolders;
  readonly owner: string;
  readonly signal: AbortSignal;
}

/** What was found out before the stream begins. */
export interface PreparedBuild {
  readonly tags: readonly Reference[];
  readonly limits: DecidedLimits;
  readonly plan: BuildPlan;
}

/** How often the free space of the disk is looked at while a build runs. */
const DISK_CHECK_MS = 1000;

function tagOf(text: string): Reference {
  const parsed = parseReference(text);
  if (!parsed.ok)
    throw new EngineError(
      "invalid",
      `invalid argument ${JSON.stringify(text.slice(0, 200))} for "t": ${referenceMessage(parsed.error)}`,
    );
  if (parsed.value.digest !== undefined)
    throw new EngineError(
      "invalid",
      `invalid argument ${JSON.stringify(text)} for "t": a build cannot be named by a digest`,
    );
  return withDefaultTag(parsed.value);
}

/** Reads the context, decides on the build, and plans it. Throws EngineError. */
export async function prepareBuild(context: WorkContext, build: Build): Promise<PreparedBuild> {
  const { actor, request, folders } = build;
  const tags = request.tags.map(tagOf);
  assertNetwork(context.sources, actor, request.networkMode);
  const limits = assertBuildAllowed(
    actor,
    { networkMode: request.networkMode, ...request.resources },
    { ...(await usageOf(context, build)), host: context.host },
  );
  if (request.context.kind === "remote") throw new EngineError("unsupported", "remote contexts are not supported yet");
  await unpackContext(context.files, folders.context, { archive: request.context.archive, left: limits.storage });
  const parsed = parseDockerfile(await takeDockerfile(folders.context, request.dockerfile));
  const planned = parsed.ok ? planBuild(parsed.value, request) : parsed;
  if (!planned.ok) throw new EngineError("invalid", planned.error);
  for (const url of planned.value.urls) assertSourceAllowed(actor, url, isHostOnlyUrl(url));
  return { tags, limits, plan: planned.value };
}

/** What the build's owner has already. */
async function usageOf({ builder, containersOf, storageOf }: WorkContext, { actor, folders }: Build) {
  if (actor.id === undefined) return { others: [], storage: 0 };
  const cached = (await builder.entries(folders.cache)).reduce((sum, { size }) => sum + size, 0);
  return { others: containersOf(actor.id), storage: storageOf(actor.id) + cached };
}

function isHostOnlyUrl(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  return host === "localhost" || host.endsWith(".localhost") || isHostOnly(host);
}

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

async function work(
  context: WorkContext,
  build: Build,
  { tags, limits, plan }: PreparedBuild,
  lines: Lines<Progress>,
): Promise<Progress | undefined> {
  const { actor, request, signal, id, folders } = build;
  const { builder, door, images, imageContext } = context;
  const { catalogue } = imageContext.library;
  const show = async (line: Progress): Promise<void> => {
    if (request.output === "all") await lines.push(line);
  };
  const bases = new BaseImages({ images, context: imageContext, actor, request, signal, report: show });
  const targets = new Map(plan.images.map((name) => [name, bases.target(name)]));
  const cache = request.cache === "ignore" || !sourcesFor(request, bases) ? "ignore" : "use";
  const sees = visibleImages(actor);
  const options = {
    images: imageContext,
    signal,
    resolve: async (target: Parameters<BaseImages["resolve"]>[0]) => {
      const image = await bases.resolve(target);
      await show({ stream: ` ---> ${shortId(image.id)}\n` });
      return image;
    },
    sees: (image: StoredImage) => sees?.([image.id, ...referencesOf(catalogue, image.id).map(formatReference)]) ?? true,
  };
  return door.during(options, async (key: DoorKey) => {
    const mode = { id, mode: request.networkMode, extraHosts: request.extraHosts };
    const network = await claimNetwork(context.sources, actor, mode);
    const job: BuilderJob = {
      id,
      request,
      steps: plan.steps,
      dockerfile: formatPlan(plan, (name) => {
        const target = targets.get(name);
        if (target === undefined) throw new Error(`${name} was not planned`);
        return formatDoorName(target);
      }),
      cache,
      folders,
      network,
      limits,
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
    await finish(context, image, tags, { lines, show, request });
    return undefined;
  });
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
