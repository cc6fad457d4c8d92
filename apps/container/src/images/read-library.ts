import type { NamedImage, StoredImage } from "./catalogue.ts";
import { parseConfiguration } from "./manifest/configuration.ts";
import { type ImageIndex, readIndex } from "./manifest/image-index.ts";
import { chainIdsOf, isIndexType } from "./manifest/manifest.ts";
import { isDigest, parseReference } from "./reference/reference.ts";
import type { ImageRecord, ImageStore, Sources } from "./store.ts";

/** What the store has, as it changes. */
export interface Shelves {
  readonly images: Map<string, StoredImage>;
  readonly names: Map<string, NamedImage>;
  readonly shelves: Map<string, Shelf>;
}

/** Reads everything in the store. Skips and reports images with a missing or damaged configuration. */
export async function readLibrary(store: ImageStore, warn: (message: string) => void): Promise<Shelves> {
  const images = new Map<string, StoredImage>();
  const names = new Map<string, NamedImage>();
  await store.sweep();
  const everything = await store.records();
  const records = everything.filter(({ owner }) => owner === undefined);
  const read = await Promise.all(
    records.filter(({ name }) => isDigest(name)).map((record) => readImage(store, record, warn)),
  );
  for (const image of read) if (image !== undefined) images.set(image.id, image);
  const indexes = await readIndexes(store, everything);
  for (const { name, imageId, manifest, putAt = "" } of records) {
    const parsed = isDigest(name) ? undefined : parseReference(name);
    if (!parsed?.ok || !images.has(imageId)) continue;
    const index = indexes.get(manifest.digest);
    names.set(name, { reference: parsed.value, imageId, taggedAt: putAt, ...(index !== undefined && { index }) });
  }
  const shelves = new Map<string, Shelf>();
  for (const record of everything) await readOwn(store, record, { images, indexes, shelves });
  return { images, names, shelves };
}

/** The indexes that names mean, each read once; an index may name far more manifests than are here. */
async function readIndexes(
  store: ImageStore,
  records: readonly ImageRecord[],
): Promise<ReadonlyMap<string, ImageIndex>> {
  const wanted = new Map(
    records.flatMap(({ manifest }) => (isIndexType(manifest.mediaType) ? [[manifest.digest, manifest] as const] : [])),
  );
  const present = wanted.size === 0 ? new Set<string>() : await store.digests();
  const indexes = new Map<string, ImageIndex>();
  for (const [digest, manifest] of wanted) indexes.set(digest, await readIndex(store, manifest, { present }));
  return indexes;
}

/** A user's own images, as they change. */
export interface Shelf {
  readonly sources: Map<string, Sources>;
  readonly names: Map<string, NamedImage>;
}

/** A user's own images, none so far. */
export function shelfOf(shelves: Map<string, Shelf>, owner: string): Shelf {
  const found = shelves.get(owner) ?? { sources: new Map(), names: new Map() };
  shelves.set(owner, found);
  return found;
}

/** Reads a user's record. One whose image was never completed is removed. */
async function readOwn(
  store: ImageStore,
  { name, owner, imageId, manifest, sources = [], putAt = "" }: ImageRecord,
  {
    images,
    indexes,
    shelves,
  }: {
    readonly images: ReadonlyMap<string, StoredImage>;
    readonly indexes: ReadonlyMap<string, ImageIndex>;
    readonly shelves: Map<string, Shelf>;
  },
): Promise<void> {
  if (owner === undefined) return;
  if (!images.has(imageId)) return store.delete(name, { owner });
  const shelf = shelfOf(shelves, owner);
  if (isDigest(name)) shelf.sources.set(imageId, sources);
  else {
    const parsed = parseReference(name);
    const index = indexes.get(manifest.digest);
    if (parsed.ok)
      shelf.names.set(name, {
        reference: parsed.value,
        imageId,
        taggedAt: putAt,
        ...(index !== undefined && { index }),
      });
  }
}

async function readImage(
  store: ImageStore,
  { imageId, manifest, details }: ImageRecord,
  warn: (message: string) => void,
): Promise<StoredImage | undefined> {
  try {
    const parsed = parseConfiguration(await store.readAll(imageId));
    if (!parsed.ok) throw new Error(parsed.error);
    const configuration = parsed.value;
    const chainIds = chainIdsOf(configuration.rootfs.diff_ids);
    const { layerSizes = [], parent = "" } = details ?? {};
    return { id: imageId, manifest, configuration, chainIds, layerSizes, parent };
  } catch (thrown) {
    warn(`image ${imageId} is left out: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return undefined;
  }
}
