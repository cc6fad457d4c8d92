import { EngineError } from "../engine/errors.ts";
import { KeyedLock } from "../engine/keyed-lock.ts";
import {
  type Catalogue,
  type FullCatalogue,
  isOwned,
  type NamedImage,
  ownCatalogue,
  type StoredImage,
} from "./catalogue.ts";
import type { HeldNames } from "./images.ts";
import { parseConfiguration } from "./manifest/configuration.ts";
import { chainIdsOf, type Descriptor } from "./manifest/manifest.ts";
import type { Reference } from "./reference/reference.ts";
import { formatFamiliar, formatReference, isDigest, parseReference } from "./reference/reference.ts";
import type { RemovalStep } from "./removal.ts";
import type { ImageRecord, ImageStore, Sources } from "./store.ts";

/** The images in memory, written through to the store: reads are served from memory, and the store survives a crash. */
export interface Library {
  readonly catalogue: FullCatalogue;
  /** Adds the image under its id; an existing one stays unchanged. With `own` it is that user's before anybody can see it. */
  add(image: StoredImage, own?: { readonly owner: string; readonly sources: Sources }): Promise<StoredImage>;
  /** Makes an image that is here a user's own, too. One that is already stays unchanged. */
  own(owner: string, imageId: string, sources: Sources): Promise<void>;
  /** Gives a user's own image a name of that user's, and takes it from the previous image. */
  nameOwn(owner: string, reference: Reference, imageId: string): Promise<void>;
  /**
   * Gives an image a name and takes it from its previous image. Returns that image's id. With `keep` it throws `conflict` where
   * the name already means another image.
   */
  name(reference: Reference, imageId: string, held?: HeldNames): Promise<string | undefined>;
  /** Replaces the blobs of an image, as a push does that compresses layers. */
  replaceManifest(imageId: string, manifest: Descriptor): Promise<void>;
  /**
   * Plans on the current catalogue, for an owner on that of its own images, and runs the steps before any other change; reports each
   * step once it is done. An owner's step deletes an image itself only if nobody else has it.
   */
  remove(
    plan: (catalogue: Catalogue) => readonly RemovalStep[],
    done: (step: RemovalStep) => void,
    owner?: string,
  ): Promise<readonly RemovalStep[]>;
}

/** Reads everything in the store. Skips and reports images with a missing or damaged configuration. */
export async function openLibrary(
  store: ImageStore,
  { warn }: { readonly warn: (message: string) => void },
): Promise<Library> {
  const images = new Map<string, StoredImage>();
  const names = new Map<string, NamedImage>();
  await store.sweep();
  const everything = await store.records();
  const records = everything.filter(({ owner }) => owner === undefined);
  const read = await Promise.all(
    records.filter(({ name }) => isDigest(name)).map((record) => readImage(store, record, warn)),
  );
  for (const image of read) if (image !== undefined) images.set(image.id, image);
  for (const { name, imageId, putAt = "" } of records) {
    const parsed = isDigest(name) ? undefined : parseReference(name);
    if (parsed?.ok && images.has(imageId)) names.set(name, { reference: parsed.value, imageId, taggedAt: putAt });
  }
  const shelves = new Map<string, Shelf>();
  for (const record of everything) await readOwn(store, record, { images, shelves });
  return libraryOf(store, { images, names, shelves });
}

/** A user's own images, as they change. */
interface Shelf {
  readonly sources: Map<string, Sources>;
  readonly names: Map<string, NamedImage>;
}

function shelfOf(shelves: Map<string, Shelf>, owner: string): Shelf {
  const found = shelves.get(owner) ?? { sources: new Map(), names: new Map() };
  shelves.set(owner, found);
  return found;
}

/** Reads a user's record. One whose image was never completed is removed. */
async function readOwn(
  store: ImageStore,
  { name, owner, imageId, sources = [], putAt = "" }: ImageRecord,
  { images, shelves }: { readonly images: ReadonlyMap<string, StoredImage>; readonly shelves: Map<string, Shelf> },
): Promise<void> {
  if (owner === undefined) return;
  if (!images.has(imageId)) return store.delete(name, { owner });
  const shelf = shelfOf(shelves, owner);
  if (isDigest(name)) shelf.sources.set(imageId, sources);
  else {
    const parsed = parseReference(name);
    if (parsed.ok) shelf.names.set(name, { reference: parsed.value, imageId, taggedAt: putAt });
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

/** Throws `conflict` if the name already means another image than this one. */
export function assertNameFree({ names }: Catalogue, reference: Reference, imageId: string): void {
  const holder = names.get(formatReference(reference))?.imageId;
  if (holder === undefined || holder === imageId) return;
  throw new EngineError(
    "conflict",
    `${formatFamiliar(reference)} names another image here, and only an administrator's pull moves a name: pull it by digest, or ask an administrator`,
  );
}

function libraryOf(
  store: ImageStore,
  {
    images,
    names,
    shelves,
  }: {
    readonly images: Map<string, StoredImage>;
    readonly names: Map<string, NamedImage>;
    readonly shelves: Map<string, Shelf>;
  },
): Library {
  const lock = new KeyedLock<"library">();
  const catalogue: FullCatalogue = { images, names, own: shelves };

  const put = async (image: StoredImage): Promise<void> => {
    const { id, manifest, layerSizes, parent } = image;
    await store.put({ name: id, imageId: id, manifest, details: { layerSizes, parent } });
    images.set(id, image);
  };

  const expectImage = (imageId: string): StoredImage => {
    const image = images.get(imageId);
    if (image === undefined) throw new EngineError("not-found", `No such image: ${imageId}`);
    return image;
  };

  const putOwn = async (owner: string, { id, manifest }: StoredImage, sources: Sources): Promise<void> => {
    const shelf = shelfOf(shelves, owner);
    if (shelf.sources.has(id)) return;
    await store.put({ name: id, owner, imageId: id, manifest, sources });
    shelf.sources.set(id, sources);
  };

  const disown = async (owner: string, imageId: string): Promise<void> => {
    const shelf = shelfOf(shelves, owner);
    if (!shelf.sources.has(imageId)) return;
    for (const [name, named] of shelf.names) {
      if (named.imageId !== imageId) continue;
      await store.delete(name, { owner });
      shelf.names.delete(name);
    }
    await store.delete(imageId, { owner });
    shelf.sources.delete(imageId);
  };

  const isAnybodys = (imageId: string): boolean =>
    isOwned(catalogue, imageId) || [...names.values()].some((named) => named.imageId === imageId);

  /** Undoes an owner's hold on a name or an image. Returns what was done to the image itself. */
  const removeOwn = async (owner: string, step: RemovalStep): Promise<RemovalStep> => {
    if (step.kind === "untag") {
      const name = formatReference(step.reference);
      await store.delete(name, { owner });
      shelfOf(shelves, owner).names.delete(name);
      return step;
    }
    await disown(owner, step.imageId);
    const image = images.get(step.imageId);
    if (image === undefined || isAnybodys(step.imageId)) return { ...step, layers: [] };
    await store.delete(step.imageId, { gc: "wait" });
    images.delete(step.imageId);
    const kept = new Set([...images.values()].flatMap(({ chainIds }) => chainIds));
    return { ...step, layers: step.layers.filter((layer) => !kept.has(layer)) };
  };

  return {
    catalogue,
    add: (image, own) =>
      lock.hold("library", async () => {
        if (own !== undefined) await putOwn(own.owner, image, own.sources);
        const known = images.get(image.id);
        if (known !== undefined) return known;
        await put(image);
        return image;
      }),
    own: (owner, imageId, sources) => lock.hold("library", () => putOwn(owner, expectImage(imageId), sources)),
    nameOwn: (owner, reference, imageId) =>
      lock.hold("library", async () => {
        const name = formatReference(reference);
        const { manifest } = expectImage(imageId);
        const taggedAt = await store.put({ name, owner, imageId, manifest });
        shelfOf(shelves, owner).names.set(name, { reference, imageId, taggedAt });
      }),
    name: (reference, imageId, held = "move") =>
      lock.hold("library", async () => {
        const name = formatReference(reference);
        const before = names.get(name)?.imageId;
        if (before === imageId) return before;
        if (held === "keep") assertNameFree(catalogue, reference, imageId);
        const taggedAt = await store.put({ name, imageId, manifest: expectImage(imageId).manifest });
        names.set(name, { reference, imageId, taggedAt });
        return before;
      }),
    replaceManifest: (imageId, manifest) =>
      lock.hold("library", async () => {
        await put({ ...expectImage(imageId), manifest });
        for (const [name, named] of names) {
          if (named.imageId === imageId) await store.put({ name, imageId, manifest });
        }
        for (const [owner, shelf] of shelves) {
          const sources = shelf.sources.get(imageId);
          if (sources !== undefined) await store.put({ name: imageId, owner, imageId, manifest, sources });
          for (const [name, named] of shelf.names)
            if (named.imageId === imageId) await store.put({ name, owner, imageId, manifest });
        }
      }),
    remove: (plan, done, owner) =>
      lock.hold("library", async () => {
        if (owner !== undefined) {
          const removed: RemovalStep[] = [];
          for (const step of plan(ownCatalogue(catalogue, owner))) {
            removed.push(await removeOwn(owner, step));
            done(step);
          }
          return removed;
        }
        const steps = plan(catalogue);
        for (const [index, step] of steps.entries()) {
          const name = step.kind === "untag" ? formatReference(step.reference) : step.imageId;
          if (step.kind === "delete") for (const each of shelves.keys()) await disown(each, step.imageId);
          // Garbage collection is expensive: run it once for all.
          await store.delete(name, { gc: index === steps.length - 1 ? "wait" : "later" });
          names.delete(name);
          images.delete(name);
          done(step);
        }
        return steps;
      }),
  };
}
