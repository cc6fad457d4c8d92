import { createLimiter } from "../../engine/concurrency/limiter.ts";
import { EngineError } from "../../engine/errors.ts";
import { gzipped } from "../archive/gzip.ts";
import {
  type Catalogue,
  type FoundImage,
  imageIdsOf,
  isIndexed,
  ownCatalogue,
  type StoredImage,
} from "../catalogue.ts";
import type { ImageContext } from "../context.ts";
import { shortId, tell } from "../context.ts";
import { expectPlatform, imageFor, targetOf } from "../find-image.ts";
import type { Images, Progress } from "../images.ts";
import type { ImageIndex } from "../manifest/image-index.ts";
import type { Descriptor, Manifest } from "../manifest/manifest.ts";
import { formatManifest, isPlainLayer, MEDIA_TYPES, parseDocument } from "../manifest/manifest.ts";
import type { Reference } from "../reference/reference.ts";
import { familiarRepository, formatFamiliar, formatReference, repositoryOf } from "../reference/reference.ts";
import type { Repository } from "../registry/registry.ts";
import type { ImageWriter } from "../store.ts";
import { holdBlobs } from "./install.ts";
import type { Report } from "./progress.ts";
import { amountLine, counted, progressOf } from "./progress.ts";
import { namedReference } from "./pull.ts";
import { messageOf } from "./pull-errors.ts";

type PushOptions = Parameters<Images["push"]>[1];

/** Pushes a tag, or all tags of a repository if the name has none. Throws for an invalid name; other errors are in the stream. */
export async function pushImage(
  context: ImageContext,
  name: { readonly image: string; readonly tag: string | undefined },
  { signal, ...options }: PushOptions,
): Promise<AsyncIterable<Progress>> {
  const reference = namedReference(name);
  const { owner } = options;
  return progressOf(
    async (report, aborted) => {
      const repository = repositoryOf(reference);
      report({ status: `The push refers to repository [${formatReference(repository)}]` });
      for (const tagged of tagsToPush(pushable(context, owner), reference)) {
        await pushTag(context, tagged, { ...options, signal: aborted, report });
      }
      tell(context, "push", { id: formatFamiliar(reference), name: familiarRepository(reference), owner });
    },
    { signal, messageOf },
  );
}

/** A user pushes images and names of its own alone. */
export function pushable({ library }: ImageContext, owner: string | undefined): Catalogue {
  return owner === undefined ? library.catalogue : ownCatalogue(library.catalogue, owner);
}

function tagsToPush({ names }: Catalogue, reference: Reference): readonly Reference[] {
  const shown = familiarRepository(reference);
  const repository = formatReference(repositoryOf(reference));
  const siblings = [...names.values()]
    .map((named) => named.reference)
    .filter((other) => formatReference(repositoryOf(other)) === repository);
  if (siblings.length === 0)
    throw new EngineError("not-found", `An image does not exist locally with the tag: ${shown}`);
  if (reference.digest !== undefined) throw new EngineError("invalid", "cannot push a digest reference");
  const tags = siblings.filter(
    ({ tag }) => tag !== undefined && (reference.tag === undefined || tag === reference.tag),
  );
  if (tags.length > 0) return tags;
  throw new EngineError(
    "not-found",
    reference.tag === undefined ? `no tags to push for ${shown}` : `tag does not exist: ${formatFamiliar(reference)}`,
  );
}

async function pushTag(
  context: ImageContext,
  reference: Reference,
  {
    auth,
    owner,
    platform,
    networkScope,
    signal,
    report,
  }: Omit<PushOptions, "signal"> & { readonly signal: AbortSignal; readonly report: Report },
): Promise<void> {
  const { library, registry, store } = context;
  const catalogue = pushable(context, owner);
  const named = catalogue.names.get(formatReference(reference));
  const target = named === undefined ? undefined : targetOf(catalogue, named);
  if (target === undefined) throw new EngineError("not-found", `tag does not exist: ${formatFamiliar(reference)}`);
  const { image, index } = chooseToPush(context, target, formatFamiliar(reference), platform);

  // The first request finds the endpoint and shows whether the registry allows the push.
  const options = { auth, networkScope, use: "push", signal } as const;
  const repository = await registry.withRepository(reference, options, async (candidate) => {
    await candidate.hasBlob(image.id, { signal });
    return candidate;
  });
  const from = mountSource(catalogue, image, reference);
  const pushing = { repository, from, signal, report };
  const { digest, size } = await store.write((writer) =>
    index === undefined
      ? pushManifest(context, image, reference.tag ?? "", writer, pushing)
      : pushIndex(context, index, reference.tag ?? "", writer, pushing),
  );
  const pinned = { ...repositoryOf(reference), digest };
  if (owner === undefined) await library.name(pinned, image.id, { index: index?.descriptor });
  else await library.nameOwn(owner, pinned, image.id, index?.descriptor);
  report({ status: `${reference.tag}: digest: ${digest} size: ${size}` });
  report({ progressDetail: {}, aux: { Tag: reference.tag, Digest: digest, Size: size } });
  const whole = target.index?.descriptor;
  if (whole === undefined || index !== undefined || platform !== undefined) return;
  const selected = { mediaType: image.manifest.mediaType, digest, size };
  const aux = { manifestPushedInsteadOfIndex: true, originalIndex: whole, selectedManifest: selected };
  report({ progressDetail: {}, aux });
}

/**
 * What a push sends of a target (moby `getPushDescriptor`): the image for the platform that is named; else the index if all of it is
 * here, or the image for the host's platform. Throws `not-found`, and `conflict` where several images would do.
 */
function chooseToPush(
  { library: { catalogue }, platform: own }: Pick<ImageContext, "library" | "platform">,
  target: FoundImage,
  name: string,
  platform: string | undefined,
): FoundImage {
  const { index } = target;
  if (platform !== undefined) return { image: expectPlatform(catalogue, name, target, platform, own) };
  if (index === undefined || index.members.every(({ parts }) => parts !== undefined)) return target;
  const here = imageIdsOf({ imageId: target.image.id, index });
  const host = here.length === 1 ? target.image : imageFor(catalogue, target, own);
  if (host === undefined)
    throw new EngineError("conflict", "multiple matching manifests found but no specific platform requested");
  return { image: host };
}

interface Pushing {
  readonly repository: Repository;
  readonly from: string | undefined;
  readonly signal: AbortSignal;
  readonly report: Report;
}

/** Pushes an image with its layers compressed. Returns its manifest. */
async function pushManifest(
  context: ImageContext,
  image: StoredImage,
  tag: string,
  writer: ImageWriter,
  pushing: Pushing,
): Promise<Descriptor> {
  const ids = image.configuration.rootfs.diff_ids.map(shortId);
  for (const id of ids) pushing.report({ status: "Preparing", progressDetail: {}, id });
  const { manifest, bytes, descriptor } = await forTheWire(context, image, writer);
  await pushParts(context, manifest, ids, pushing);
  const { signal } = pushing;
  await pushing.repository.putManifest(tag, { bytes, mediaType: descriptor.mediaType }, { signal });
  return descriptor;
}

/** Pushes an index with everything that it names, as it is. */
async function pushIndex(
  context: ImageContext,
  { descriptor, members, inner }: ImageIndex,
  tag: string,
  writer: ImageWriter,
  pushing: Pushing,
): Promise<Descriptor> {
  const { repository, signal } = pushing;
  const put = async (reference: string, { digest, mediaType }: Descriptor): Promise<void> => {
    await holdBlobs(writer, [{ mediaType, digest, size: 0 }]);
    await repository.putManifest(reference, { bytes: await context.store.readAll(digest), mediaType }, { signal });
  };
  for (const { entry, parts } of members) {
    if (parts === undefined) continue;
    await holdBlobs(writer, [parts.config, ...parts.layers]);
    await pushParts(
      context,
      parts,
      parts.layers.map(({ digest }) => shortId(digest)),
      pushing,
    );
    await put(entry.digest, entry);
  }
  for (const nested of inner.toReversed()) await put(nested.digest, nested);
  await put(tag, descriptor);
  return descriptor;
}

/** Pushes the layers of a manifest, then its configuration. */
async function pushParts(
  context: ImageContext,
  { config, layers }: Manifest,
  ids: readonly string[],
  { repository, from, signal, report }: Pushing,
): Promise<void> {
  const limit = createLimiter(context.concurrency);
  const uploads = layers.map((layer, at) =>
    limit(() => pushBlob(context, repository, layer, { from, signal, report, id: ids[at] ?? "" })),
  );
  const outcomes = await Promise.allSettled(uploads);
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  await pushBlob(context, repository, config, { from: undefined, signal, report: () => {}, id: "" });
}

interface WireImage {
  readonly manifest: Manifest;
  readonly bytes: Buffer;
  readonly descriptor: Descriptor;
}

/** Compresses every layer of the image. The store keeps the compressed layers for later pushes. */
async function forTheWire(
  { store, library }: ImageContext,
  image: StoredImage,
  writer: ImageWriter,
): Promise<WireImage> {
  const bytes = await store.readAll(image.manifest.digest);
  const parsed = parseDocument(bytes);
  if (!parsed.ok || parsed.value.kind !== "manifest")
    throw new EngineError("failed", `image ${image.id} has no manifest`);
  const { manifest } = parsed.value;
  await holdBlobs(writer, [...manifest.layers, manifest.config]);
  // An index names the manifest as it is.
  if (isIndexed(library.catalogue, image.id) || !manifest.layers.some(({ mediaType }) => isPlainLayer(mediaType))) {
    return { manifest, bytes, descriptor: image.manifest };
  }
  const layers: Descriptor[] = [];
  for (const layer of manifest.layers) {
    layers.push(isPlainLayer(layer.mediaType) ? await compressed(store.read(layer.digest), writer) : layer);
  }
  const config = { ...manifest.config, mediaType: MEDIA_TYPES.config };
  const packed = { config, layers };
  const packedBytes = formatManifest(packed);
  const chainId = image.chainIds.at(-1) ?? "";
  const descriptor = await writer.manifest(packedBytes, { mediaType: MEDIA_TYPES.manifest, config, layers, chainId });
  await library.replaceManifest(image.id, descriptor);
  return { manifest: packed, bytes: packedBytes, descriptor };
}

async function compressed(tar: AsyncIterable<Buffer>, writer: ImageWriter): Promise<Descriptor> {
  let size = 0;
  async function* measured(): AsyncGenerator<Uint8Array> {
    for await (const chunk of gzipped(tar)) {
      size += chunk.length;
      yield chunk;
    }
  }
  const digest = await writer.blob(measured());
  return { mediaType: `${MEDIA_TYPES.layer}+gzip`, digest, size };
}

/** Another repository of the same registry that has layers of this image, so the registry can mount them. */
function mountSource({ names, images }: Catalogue, image: StoredImage, target: Reference): string | undefined {
  const own = new Set(image.configuration.rootfs.diff_ids);
  for (const { reference, imageId } of names.values()) {
    if (reference.digest === undefined || reference.domain !== target.domain || reference.path === target.path)
      continue;
    const diffIds = images.get(imageId)?.configuration.rootfs.diff_ids ?? [];
    if (diffIds.some((diffId) => own.has(diffId))) return reference.path;
  }
  return undefined;
}

async function pushBlob(
  { store }: ImageContext,
  repository: Repository,
  blob: Descriptor,
  {
    from,
    signal,
    report,
    id,
  }: { readonly from: string | undefined; readonly signal: AbortSignal; readonly report: Report; readonly id: string },
): Promise<void> {
  if (await repository.hasBlob(blob.digest, { signal })) {
    report({ status: "Layer already exists", progressDetail: {}, id });
    return;
  }
  const open = (): AsyncIterable<Uint8Array> =>
    counted(store.read(blob.digest, { signal }), (current) => report(amountLine(id, "Pushing", current, blob.size)));
  const how = await repository.upload(blob, open, { from, signal });
  report({ status: how === "mounted" ? `Mounted from ${from}` : "Pushed", progressDetail: {}, id });
}
