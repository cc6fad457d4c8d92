import { ZERO_TIME } from "../engine/moment.ts";
import type { Image, ImageOrigin, ImageViewer } from "./images.ts";
import type { Configuration } from "./manifest/configuration.ts";
import { type ImageIndex, imageIdOf } from "./manifest/image-index.ts";
import type { Descriptor } from "./manifest/manifest.ts";
import type { Reference } from "./reference/reference.ts";
import { formatFamiliar, formatReference } from "./reference/reference.ts";
import type { Sources } from "./store.ts";

/** An image in memory; its names are stored separately. */
export interface StoredImage {
  readonly id: string;
  readonly manifest: Descriptor;
  readonly configuration: Configuration;
  /** Bottom first, in the order of the configuration's diff ids. */
  readonly chainIds: readonly string[];
  /** Bytes, bottom first. */
  readonly layerSizes: readonly number[];
  /** "" for none. */
  readonly parent: string;
}

export interface NamedImage {
  readonly reference: Reference;
  /** Of an index, the image for the host's platform, or another one that is here. */
  readonly imageId: string;
  /** The index that the name means; absent where it means one image. */
  readonly index?: ImageIndex;
  /** RFC 3339: when the image got the name. */
  readonly taggedAt: string;
}

/** Images and their names; every read is served from here. */
export interface Catalogue {
  readonly images: ReadonlyMap<string, StoredImage>;
  /** Keyed by the normalised reference. */
  readonly names: ReadonlyMap<string, NamedImage>;
}

/** What a user built: images that nobody else sees, under names that mean nothing to anybody else. */
export interface OwnImages {
  /** By the image's id. */
  readonly sources: ReadonlyMap<string, Sources>;
  readonly names: ReadonlyMap<string, NamedImage>;
}

/** All images, with everyone's names, and each user's own. */
export interface FullCatalogue extends Catalogue {
  readonly own: ReadonlyMap<string, OwnImages>;
}

/** Whether the image is some user's own. */
export function isOwned({ own }: Pick<FullCatalogue, "own">, imageId: string): boolean {
  return [...own.values()].some(({ sources }) => sources.has(imageId));
}

/** A user's own images, with its own names alone. */
export function ownCatalogue({ images, own }: FullCatalogue, owner: string): Catalogue {
  const { sources, names } = own.get(owner) ?? { sources: new Map(), names: new Map() };
  return { images: new Map([...images].filter(([id]) => sources.has(id))), names };
}

/** The names that mean an image, in Docker's order; not those of an index that gives it for another platform. */
export function referencesOf({ names }: Catalogue, imageId: string): readonly Reference[] {
  return sorted([...names].filter(([, named]) => named.imageId === imageId));
}

/** The names by which an image can be had, for some platform. */
export function reachingReferences({ names }: Catalogue, imageId: string): readonly Reference[] {
  return sorted([...names].filter(([, named]) => imageIdsOf(named).includes(imageId)));
}

function sorted(names: readonly (readonly [string, NamedImage])[]): readonly Reference[] {
  return names.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, { reference }]) => reference);
}

/** The same of all images at once, for lists. */
export function referencesByImage({ names }: Catalogue): ReadonlyMap<string, readonly Reference[]> {
  return grouped(names, ({ imageId }) => [imageId]);
}

/** The names by which each image can be had, for some platform. */
function referencesReaching({ names }: Catalogue): ReadonlyMap<string, readonly Reference[]> {
  return grouped(names, imageIdsOf);
}

function grouped(
  names: Catalogue["names"],
  idsOf: (named: NamedImage) => readonly string[],
): ReadonlyMap<string, readonly Reference[]> {
  const found = new Map<string, Reference[]>();
  for (const [, named] of [...names].sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (const id of idsOf(named)) {
      const known = found.get(id);
      if (known === undefined) found.set(id, [named.reference]);
      else known.push(named.reference);
    }
  }
  return found;
}

/** The ids of the images that a name stands for: one, or those of its index that are here. */
export function imageIdsOf({
  imageId,
  index,
}: {
  readonly imageId: string;
  readonly index?: ImageIndex | undefined;
}): readonly string[] {
  const members = (index?.members ?? []).flatMap((member) => imageIdOf(member) ?? []);
  return [...new Set([imageId, ...members])];
}

/** The images that are here only as those of an index for other platforms: no list shows them, and its last name takes them along. */
export function siblingIds({ names }: Catalogue): ReadonlySet<string> {
  const meant = new Set([...names.values()].map(({ imageId }) => imageId));
  return new Set([...names.values()].flatMap(imageIdsOf).filter((id) => !meant.has(id)));
}

/**
 * The part of a catalogue that a viewer sees: the images that it accepts, with everyone's names and its own, which come first; never an
 * image that is another user's alone. What is left out is as if it did not exist, for every use case that reads the result.
 */
export function visibleCatalogue(catalogue: FullCatalogue, viewer: ImageViewer | undefined): Catalogue {
  if (viewer === undefined) return catalogue;
  const { owner, accepts } = viewer;
  const { sources, names } = catalogue.own.get(owner) ?? { sources: new Map<string, Sources>(), names: new Map() };
  const references = referencesReaching(catalogue);
  const owned = new Set([...catalogue.own.values()].flatMap((one) => [...one.sources.keys()]));
  const seen = ([id]: readonly [string, StoredImage]) => {
    const builtFrom = sources.get(id);
    const shared = references.get(id) ?? [];
    if (builtFrom === undefined && shared.length === 0 && owned.has(id)) return false;
    return accepts?.({ references: [id, ...shared.map(formatReference)], builtFrom }) ?? true;
  };
  const images = new Map([...catalogue.images].filter(seen));
  const all = new Map([...catalogue.names, ...names]);
  return { images, names: new Map([...all].filter(([, { imageId }]) => images.has(imageId))) };
}

/** What decides whether a user may use an image: never a name that a user gave it. */
export function originOf(catalogue: FullCatalogue, imageId: string, owner: string | undefined): ImageOrigin {
  return {
    references: [imageId, ...reachingReferences(catalogue, imageId).map(formatReference)],
    builtFrom: owner === undefined ? undefined : catalogue.own.get(owner)?.sources.get(imageId),
  };
}

/** Whether another image was committed on top of this one. */
export function hasChildren({ images }: Catalogue, imageId: string): boolean {
  for (const { parent } of images.values()) if (parent === imageId) return true;
  return false;
}

/** Whether an index that has a name, everyone's or a user's own, names the image. */
export function isIndexed({ names, own }: FullCatalogue, imageId: string): boolean {
  return [names, ...[...own.values()].map((shelf) => shelf.names)].some((some) =>
    [...some.values()].some((named) => named.index !== undefined && imageIdsOf(named).includes(imageId)),
  );
}

/** What a name means: an image, and the index that it is of, if it is of one. */
export interface FoundImage {
  readonly image: StoredImage;
  readonly index?: ImageIndex | undefined;
}

/** Bytes of the unpacked layers of all that is here of a target, each layer once. */
export function sizeOf({ images }: Catalogue, { image, index }: FoundImage): number {
  const parts = imageIdsOf({ imageId: image.id, index }).flatMap((id) => images.get(id) ?? []);
  const sizes = parts.flatMap(({ chainIds, layerSizes }) =>
    chainIds.map((id, at) => [id, layerSizes[at] ?? 0] as const),
  );
  return [...new Map(sizes).values()].reduce((sum, size) => sum + size, 0);
}

/** When the image got its newest name; "" if it has none. */
export function taggedAtOf({ names }: Catalogue, imageId: string): string {
  return [...names.values()].reduce(
    (newest, named) => (named.imageId === imageId && named.taggedAt > newest ? named.taggedAt : newest),
    "",
  );
}

/** Converts an image to the shape that the rest of the service uses. */
export function imageOf({ image: stored, index }: FoundImage, references: readonly Reference[], taggedAt = ""): Image {
  const { id, configuration, chainIds, layerSizes, parent } = stored;
  const { config = {}, rootfs, history = [] } = configuration;
  let layer = 0;
  const { architecture, os, variant } = configuration;
  return {
    id,
    manifest: { ...stored.manifest, platform: { architecture, os, ...(variant && { variant }) } },
    ...(index !== undefined && { index }),
    repoTags: references.filter(({ digest }) => digest === undefined).map(formatFamiliar),
    repoDigests: references.filter(({ digest }) => digest !== undefined).map(formatFamiliar),
    taggedAt,
    parent,
    createdAt: configuration.created ?? ZERO_TIME,
    architecture: configuration.architecture,
    variant: configuration.variant ?? "",
    os: configuration.os,
    author: configuration.author ?? "",
    comment: configuration.comment ?? "",
    dockerVersion: configuration.docker_version ?? "",
    container: configuration.container ?? "",
    ...(configuration.container_config === undefined ? {} : { containerConfig: configuration.container_config }),
    size: layerSizes.reduce((sum, size) => sum + size, 0),
    layerSizes,
    config,
    layers: chainIds.at(-1) ?? "",
    diffIds: rootfs.diff_ids,
    history: history.map((entry) => ({
      created: entry.created ?? ZERO_TIME,
      createdBy: entry.created_by ?? "",
      comment: entry.comment ?? "",
      emptyLayer: entry.empty_layer ?? false,
      size: entry.empty_layer === true ? 0 : (layerSizes[layer++] ?? 0),
    })),
  };
}
