import type { Readable } from "node:stream";
import { chunksOf } from "../engine/concurrency/chunks-of.ts";
import { KeyedLock } from "../engine/concurrency/keyed-lock.ts";
import { EngineError } from "../engine/errors.ts";
import type { EventSink } from "../events/events.ts";
import { imageOf, originOf, reachingReferences, sizeOf, taggedAtOf, visibleCatalogue } from "./catalogue.ts";
import type { ImageContext } from "./context.ts";
import type { DiskQuota } from "./disk-quota.ts";
import { expectPlatform, findImage, findTarget } from "./find-image.ts";
import type { Images } from "./images.ts";
import { openLibrary } from "./library.ts";
import type { Platform } from "./manifest/manifest.ts";
import { parsePlatform } from "./manifest/platform.ts";
import { manifestsOf } from "./manifests-of.ts";
import { nameImage } from "./name-image.ts";
import { familiarRepository, parseRepositoryTag, referenceMessage, withDefaultTag } from "./reference/reference.ts";
import type { Registry } from "./registry/registry.ts";
import { assertOwn, pruneImages, removeImage, removePlatforms } from "./remove-image.ts";
import { selectImages } from "./select-images.ts";
import type { ImageStore } from "./store.ts";
import { checkAuth } from "./transfer/check-auth.ts";
import { commitImage, importImage } from "./transfer/import.ts";
import { loadImages } from "./transfer/load.ts";
import { progressOf } from "./transfer/progress.ts";
import { namedReference, pullImage } from "./transfer/pull.ts";
import { messageOf } from "./transfer/pull-errors.ts";
import { pushImage } from "./transfer/push.ts";
import { inspectRemote } from "./transfer/remote.ts";
import { saveImages } from "./transfer/save.ts";

export interface ImageServiceDeps {
  readonly store: ImageStore;
  readonly registry: Registry;
  readonly events: EventSink;
  /** The default platform of pulls: the host's own. */
  readonly platform: Platform;
  /** How many layers of one image to transfer concurrently; Docker's default is 3. */
  readonly concurrency: number;
  readonly quota: DiskQuota;
  /** Receives problems of the store that were skipped. */
  readonly warn: (message: string) => void;
  readonly now?: () => Date;
}

/** What the image use cases share. Reads the store once; later reads are served from memory. */
export async function openImageContext({
  store,
  registry,
  events,
  platform,
  concurrency,
  quota,
  warn,
  now = () => new Date(),
}: ImageServiceDeps): Promise<ImageContext> {
  return {
    store,
    library: await openLibrary(store, { warn, platform }),
    registry,
    events,
    platform,
    concurrency,
    unpacking: new KeyedLock<string>(),
    downloading: new KeyedLock<string>(),
    quota,
    now,
  };
}

/** The image use cases over a store and the registries. */
export async function createImages(deps: ImageServiceDeps): Promise<Images> {
  return imagesOf(await openImageContext(deps));
}

/** The image use cases of a context. */
export function imagesOf(context: ImageContext): Images {
  const { library, registry, platform, now } = context;
  const { catalogue } = library;
  return {
    get: async (ref, options = {}) => {
      const seen = visibleCatalogue(catalogue, options.viewer);
      const target = findTarget(seen, ref);
      const shown = (found: typeof target) =>
        imageOf(found, reachingReferences(seen, found.image.id), taggedAtOf(seen, found.image.id));
      if (options.platform === undefined) return shown(target);
      const image = expectPlatform(seen, ref, target, options.platform, platform);
      const member = target.index?.members.find(({ parts }) => parts?.config.digest === image.id);
      return { ...shown({ image }), ...(member && { entry: member.entry }) };
    },
    origin: (id, owner) => originOf(catalogue, findImage(catalogue, id).id, owner),
    list: async ({ all, filters, viewer }) =>
      selectImages(visibleCatalogue(catalogue, viewer), { all, filters, nowMs: now().getTime() }).map(
        ({ references, ...found }) => ({ ...imageOf(found, references), size: sizeOf(catalogue, found) }),
      ),
    manifests: (image) => manifestsOf(context, image),
    tag: async (ref, { repo, tag, viewer }) => {
      const parsed = parseRepositoryTag(repo, tag);
      if (!parsed.ok) throw new EngineError("invalid", referenceMessage(parsed.error));
      if (parsed.value.digest !== undefined)
        throw new EngineError("invalid", "refusing to create a tag with a digest reference");
      if (familiarRepository(parsed.value) === "sha256") {
        throw new EngineError("invalid", "refusing to create an ambiguous tag using digest algorithm as name");
      }
      const target = withDefaultTag(parsed.value);
      const found = findTarget(visibleCatalogue(catalogue, viewer), ref);
      await nameImage(context, target, found, viewer?.owner);
    },
    remove: async (ref, { platforms = [], viewer, ...options }) => {
      const seen = visibleCatalogue(catalogue, viewer);
      const target = findTarget(seen, ref);
      const chosen = platforms.map((each) => expectPlatform(seen, ref, target, each, platform));
      if (viewer !== undefined) assertOwn(context, ref, viewer);
      return chosen.length > 0
        ? removePlatforms(context, ref, { target, chosen }, { ...options, owner: viewer?.owner })
        : removeImage(context, ref, { ...options, owner: viewer?.owner });
    },
    prune: (options) => pruneImages(context, options),
    pull: (reference, options) => pullImage(context, reference, options),
    push: (reference, options) => pushImage(context, reference, options),
    load: async (archive, { quiet, signal, platform: wished }) =>
      progressOf(
        (report, aborted) =>
          readingAll(archive, (bytes) =>
            loadImages(context, bytes, { quiet, signal: aborted, report, platform: parsed(wished, platform) }),
          ),
        { signal, messageOf },
      ),
    save: (refs, { viewer, platform: wished } = {}) =>
      saveImages(context, visibleCatalogue(catalogue, viewer), refs, wished),
    import: (archive, options) => readingAll(archive, (bytes) => importImage(context, bytes, options)),
    commit: (layer, options) => commitImage(context, layer, options),
    checkAuth: (auth, options) => checkAuth(registry, auth, options),
    distribution: (ref, options) => inspectRemote(context, namedReference({ image: ref, tag: undefined }), options),
  };
}

/**
 * Runs `use` on the bytes of an upload. Drains the rest of a rejected upload: destroying the request's body would cut the connection
 * that carries the error to the client.
 */
async function readingAll<T>(archive: Readable, use: (bytes: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T> {
  try {
    return await use(chunksOf(archive));
  } finally {
    archive.resume();
  }
}

/** A platform as text. Throws `invalid`. */
function parsed(text: string | undefined, own: Platform): Platform | undefined {
  if (text === undefined) return undefined;
  const platform = parsePlatform(text, own);
  if (!platform.ok) throw new EngineError("invalid", platform.error);
  return platform.value;
}
