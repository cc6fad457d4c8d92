import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { EngineError } from "../../engine/errors.ts";
import { createLimiter } from "../../engine/limiter.ts";
import { type Catalogue, ownCatalogue, type StoredImage } from "../catalogue.ts";
import type { ImageContext } from "../context.ts";
import { shortId, tell } from "../context.ts";
import type { Images, Progress } from "../images.ts";
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
    networkScope,
    signal,
    report,
  }: Omit<PushOptions, "signal"> & { readonly signal: AbortSignal; readonly report: Report },
): Promise<void> {
  const { library, registry, store } = context;
  const catalogue = pushable(context, owner);
  const named = catalogue.names.get(formatReference(reference));
  const image = named === undefined ? undefined : catalogue.images.get(named.imageId);
  if (image === undefined) throw new EngineError("not-found", `tag does not exist: ${formatFamiliar(reference)}`);
  const ids = image.configuration.rootfs.diff_ids.map(shortId);
  for (const id of ids) report({ status: "Preparing", progressDetail: {}, id });

  // The first request finds the endpoint and shows whether the registry allows the push.
  const options = { auth, networkScope, use: "push", signal } as const;
  const repository = await registry.withRepository(reference, options, async (candidate) => {
    await candidate.hasBlob(image.id, { signal });
    return candidate;
  });
  const { digest, size } = await store.write(async (writer) => {
    const { manifest, bytes, descriptor } = await forTheWire(context, image, writer);
    const from = mountSource(catalogue, image, reference);
    const limit = createLimiter(context.concurrency);
    const uploads = manifest.layers.map((layer, index) =>
      limit(() => pushBlob(context, repository, layer, { from, signal, report, id: ids[index] ?? "" })),
    );
    const outcomes = await Promise.allSettled(uploads);
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
    await pushBlob(context, repository, manifest.config, { from: undefined, signal, report: () => {}, id: "" });
    await repository.putManifest(reference.tag ?? "", { bytes, mediaType: descriptor.mediaType }, { signal });
    return descriptor;
  });
  const pinned = { ...repositoryOf(reference), digest };
  if (owner === undefined) await library.name(pinned, image.id);
  else await library.nameOwn(owner, pinned, image.id);
  report({ status: `${reference.tag}: digest: ${digest} size: ${size}` });
  report({ progressDetail: {}, aux: { Tag: reference.tag, Digest: digest, Size: size } });
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
  if (!manifest.layers.some(({ mediaType }) => isPlainLayer(mediaType))) {
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
  const source = Readable.from(tar);
  const gzip = createGzip();
  source.once("error", (error) => gzip.destroy(error));
  let size = 0;
  async function* measured(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source.pipe(gzip) as AsyncIterable<Buffer>) {
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
