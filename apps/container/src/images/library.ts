import { KeyedLock } from "../engine/concurrency/keyed-lock.ts";
import { EngineError } from "../engine/errors.ts";
import {
  type Catalogue,
  type FoundImage,
  type FullCatalogue,
  imageIdsOf,
  isOwned,
  ownCatalogue,
  type StoredImage,
} from "./catalogue.ts";
import { imageFor } from "./find-image.ts";
import type { HeldNames } from "./images.ts";
import { type ImageIndex, imageIdOf, readIndex } from "./manifest/image-index.ts";
import type { Descriptor, Platform } from "./manifest/manifest.ts";
import { readLibrary, type Shelves, shelfOf } from "./read-library.ts";
import type { Reference } from "./reference/reference.ts";
import { formatFamiliar, formatReference } from "./reference/reference.ts";
import type { RemovalStep } from "./removal.ts";
import type { ImageStore, Sources } from "./store.ts";

/** The images in memory, written through to the store: reads are served from memory, and the store survives a crash. */
export interface Library {
  readonly catalogue: FullCatalogue;
  /** Adds the image under its id; an existing one stays unchanged. With `own` it is that user's before anybody can see it. */
  add(image: StoredImage, own?: { readonly owner: string; readonly sources: Sources }): Promise<StoredImage>;
  /** Makes an image that is here a user's own, too. One that is already stays unchanged. */
  own(owner: string, imageId: string, sources: Sources): Promise<void>;
  /** Gives a user's own image, or an index of such images, a name of that user's, and takes it from the previous image. */
  nameOwn(owner: string, reference: Reference, imageId: string, index?: Descriptor): Promise<void>;
  /**
   * Gives an image, or an index that it is of, a name and takes it from its previous image. Returns that image's id. With `keep` it
   * throws `conflict` where the name already means another image. Other names of the index learn which of its images are here.
   */
  name(
    reference: Reference,
    imageId: string,
    options?: { readonly held?: HeldNames; readonly index?: Descriptor | undefined },
  ): Promise<string | undefined>;
  /** Removes the images of an index for some platforms from the store, where nothing else needs them. */
  removeMembers(index: ImageIndex, imageIds: readonly string[]): Promise<void>;
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
  { warn, platform }: { readonly warn: (message: string) => void; readonly platform: Platform },
): Promise<Library> {
  return new StoredLibrary(store, platform, await readLibrary(store, warn));
}

/** Throws `conflict` if the name already means another image than this one, or than this index. */
export function assertNameFree(
  { names }: Catalogue,
  reference: Reference,
  { imageId, index }: { readonly imageId: string; readonly index?: string | undefined },
): void {
  const holder = names.get(formatReference(reference));
  if (holder === undefined || holder.imageId === imageId) return;
  if (index !== undefined && holder.index?.descriptor.digest === index) return;
  throw new EngineError(
    "conflict",
    `${formatFamiliar(reference)} names another image here, and only an administrator's pull moves a name: pull it by digest, or ask an administrator`,
  );
}

class StoredLibrary implements Library {
  readonly catalogue: FullCatalogue;
  readonly #store: ImageStore;
  /** The host's, which decides which image of an index a name means. */
  readonly #platform: Platform;
  readonly #held: Shelves;
  readonly #lock = new KeyedLock<"library">();

  constructor(store: ImageStore, platform: Platform, held: Shelves) {
    this.#store = store;
    this.#platform = platform;
    this.#held = held;
    this.catalogue = { images: held.images, names: held.names, own: held.shelves };
  }

  add(image: StoredImage, own?: { readonly owner: string; readonly sources: Sources }): Promise<StoredImage> {
    return this.#lock.hold("library", async () => {
      if (own !== undefined) await this.#putOwn(own.owner, image, own.sources);
      const known = this.#held.images.get(image.id);
      if (known !== undefined) return known;
      await this.#put(image);
      return image;
    });
  }

  own(owner: string, imageId: string, sources: Sources): Promise<void> {
    return this.#lock.hold("library", () => this.#putOwn(owner, this.#expectImage(imageId), sources));
  }

  nameOwn(owner: string, reference: Reference, imageId: string, descriptor?: Descriptor): Promise<void> {
    return this.#lock.hold("library", async () => {
      const name = formatReference(reference);
      const index = descriptor && (await readIndex(this.#store, descriptor));
      const { id, manifest } = this.#meant({ image: this.#expectImage(imageId), index });
      const taggedAt = await this.#store.put({ name, owner, imageId: id, manifest: descriptor ?? manifest });
      const named = { reference, imageId: id, taggedAt, ...(index !== undefined && { index }) };
      shelfOf(this.#held.shelves, owner).names.set(name, named);
    });
  }

  name(
    reference: Reference,
    imageId: string,
    { held = "move", index: descriptor }: { readonly held?: HeldNames; readonly index?: Descriptor | undefined } = {},
  ): Promise<string | undefined> {
    return this.#lock.hold("library", async () => {
      const { names } = this.#held;
      const name = formatReference(reference);
      const before = names.get(name);
      const digest = descriptor?.digest;
      // Read while nothing else changes: pulls for two platforms may end at once.
      const index = descriptor && (await readIndex(this.#store, descriptor));
      const { id, manifest } = this.#meant({ image: this.#expectImage(imageId), index });
      if (held === "keep") assertNameFree(this.catalogue, reference, { imageId: id, index: digest });
      const sameIndex = before?.index?.descriptor.digest === digest;
      // A name that is kept does not move to another index that has the same image either.
      if (held === "keep" && before !== undefined && !sameIndex) return before.imageId;
      if (before?.imageId !== id || !sameIndex) {
        const taggedAt = await this.#store.put({ name, imageId: id, manifest: descriptor ?? manifest });
        names.set(name, { reference, imageId: id, taggedAt, ...(index !== undefined && { index }) });
      }
      if (index !== undefined) await this.#renewIndex(index, id);
      return before?.imageId;
    });
  }

  removeMembers(index: ImageIndex, imageIds: readonly string[]): Promise<void> {
    return this.#lock.hold("library", async () => {
      const { images } = this.#held;
      const gone = index.members.filter((member) => imageIds.includes(imageIdOf(member) ?? ""));
      const members = index.members.map((member) => (gone.includes(member) ? { ...member, parts: undefined } : member));
      const rest = { ...index, members };
      const digests = gone.map(({ entry }) => entry.digest);
      const [image] = members.flatMap((member) => images.get(imageIdOf(member) ?? "") ?? []);
      if (image !== undefined) await this.#renewIndex(rest, this.#meant({ image, index: rest }).id);
      await this.#store.unlink(index.descriptor.digest, digests);
      for (const id of imageIds) {
        if (this.#isAnybodys(id)) continue;
        await this.#store.delete(id, { gc: "wait" });
        images.delete(id);
      }
    });
  }

  replaceManifest(imageId: string, manifest: Descriptor): Promise<void> {
    return this.#lock.hold("library", async () => {
      const { names, shelves } = this.#held;
      const store = this.#store;
      await this.#put({ ...this.#expectImage(imageId), manifest });
      for (const [name, named] of names) {
        if (named.imageId === imageId && named.index === undefined) await store.put({ name, imageId, manifest });
      }
      for (const [owner, shelf] of shelves) {
        const sources = shelf.sources.get(imageId);
        if (sources !== undefined) await store.put({ name: imageId, owner, imageId, manifest, sources });
        for (const [name, named] of shelf.names)
          if (named.imageId === imageId && named.index === undefined)
            await store.put({ name, owner, imageId, manifest });
      }
    });
  }

  remove(
    plan: (catalogue: Catalogue) => readonly RemovalStep[],
    done: (step: RemovalStep) => void,
    owner?: string,
  ): Promise<readonly RemovalStep[]> {
    return this.#lock.hold("library", async () => {
      const { images, names, shelves } = this.#held;
      if (owner !== undefined) {
        const removed: RemovalStep[] = [];
        for (const step of plan(ownCatalogue(this.catalogue, owner))) {
          removed.push(await this.#removeOwn(owner, step));
          done(step);
        }
        return removed;
      }
      const steps = plan(this.catalogue);
      for (const [index, step] of steps.entries()) {
        const name = step.kind === "untag" ? formatReference(step.reference) : step.imageId;
        if (step.kind === "delete") for (const each of shelves.keys()) await this.#disown(each, step.imageId);
        // Garbage collection is expensive: run it once for all.
        await this.#store.delete(name, { gc: index === steps.length - 1 ? "wait" : "later" });
        names.delete(name);
        images.delete(name);
        done(step);
      }
      return steps;
    });
  }

  async #put(image: StoredImage): Promise<void> {
    const { id, manifest, layerSizes, parent } = image;
    await this.#store.put({ name: id, imageId: id, manifest, details: { layerSizes, parent } });
    this.#held.images.set(id, image);
  }

  #expectImage(imageId: string): StoredImage {
    const image = this.#held.images.get(imageId);
    if (image === undefined) throw new EngineError("not-found", `No such image: ${imageId}`);
    return image;
  }

  /** The image that a name of the target means: of an index, the one for the host, or the one that is given. */
  #meant(target: FoundImage): StoredImage {
    const hosts = target.index === undefined ? undefined : imageFor(this.catalogue, target, this.#platform);
    return hosts ?? target.image;
  }

  async #putOwn(owner: string, { id, manifest }: StoredImage, sources: Sources): Promise<void> {
    const shelf = shelfOf(this.#held.shelves, owner);
    if (shelf.sources.has(id)) return;
    await this.#store.put({ name: id, owner, imageId: id, manifest, sources });
    shelf.sources.set(id, sources);
  }

  async #disown(owner: string, imageId: string): Promise<void> {
    const shelf = shelfOf(this.#held.shelves, owner);
    if (!shelf.sources.has(imageId)) return;
    for (const [name, named] of shelf.names) {
      if (named.imageId !== imageId) continue;
      await this.#store.delete(name, { owner });
      shelf.names.delete(name);
    }
    await this.#store.delete(imageId, { owner });
    shelf.sources.delete(imageId);
  }

  #isAnybodys(imageId: string): boolean {
    const { catalogue } = this;
    return (
      isOwned(catalogue, imageId) || [...catalogue.names.values()].some((named) => imageIdsOf(named).includes(imageId))
    );
  }

  /** Tells the names of an index which of its images are here, and which of them they mean. */
  async #renewIndex(index: ImageIndex, imageId: string): Promise<void> {
    const { names } = this.#held;
    for (const [name, named] of names) {
      if (named.index?.descriptor.digest !== index.descriptor.digest) continue;
      const moved = named.imageId !== imageId;
      const taggedAt = moved ? await this.#store.put({ name, imageId, manifest: index.descriptor }) : named.taggedAt;
      names.set(name, { ...named, imageId, index, taggedAt });
    }
  }

  /** Undoes an owner's hold on a name or an image. Returns what was done to the image itself. */
  async #removeOwn(owner: string, step: RemovalStep): Promise<RemovalStep> {
    const { images, shelves } = this.#held;
    if (step.kind === "untag") {
      const name = formatReference(step.reference);
      await this.#store.delete(name, { owner });
      shelfOf(shelves, owner).names.delete(name);
      return step;
    }
    await this.#disown(owner, step.imageId);
    const image = images.get(step.imageId);
    if (image === undefined || this.#isAnybodys(step.imageId)) return { ...step, layers: [] };
    await this.#store.delete(step.imageId, { gc: "wait" });
    images.delete(step.imageId);
    const kept = new Set([...images.values()].flatMap(({ chainIds }) => chainIds));
    return { ...step, layers: step.layers.filter((layer) => !kept.has(layer)) };
  }
}
