import { EngineError } from "../engine/errors.ts";
import { ZERO_TIME } from "../engine/moment.ts";
import type { Image, ImageOrigin, ImageViewer } from "./images.ts";
import type { Configuration } from "./manifest/configuration.ts";
import type { Descriptor } from "./manifest/manifest.ts";
import type { Reference } from "./reference/reference.ts";
import {
  formatFamiliar,
  formatReference,
  parseImageName,
  referenceMessage,
  withDefaultTag,
} from "./reference/reference.ts";
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
  readonly imageId: string;
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

/** The names of an image, in Docker's order. */
export function referencesOf({ names }: Catalogue, imageId: string): readonly Reference[] {
  return [...names.entries()]
    .filter(([, named]) => named.imageId === imageId)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { reference }]) => reference);
}

/** The names of all images at once, for lists. */
export function referencesByImage(catalogue: Catalogue): ReadonlyMap<string, readonly Reference[]> {
  const found = new Map<string, Reference[]>();
  for (const name of [...catalogue.names.keys()].sort()) {
    const named = catalogue.names.get(name);
    if (named === undefined) continue;
    const known = found.get(named.imageId);
    if (known === undefined) found.set(named.imageId, [named.reference]);
    else known.push(named.reference);
  }
  return found;
}

/**
 * The part of a catalogue that a viewer sees: the images that it accepts, with everyone's names and its own, which come first; never an
 * image that is another user's alone. What is left out is as if it did not exist, for every use case that reads the result.
 */
export function visibleCatalogue(catalogue: FullCatalogue, viewer: ImageViewer | undefined): Catalogue {
  if (viewer === undefined) return catalogue;
  const { owner, accepts } = viewer;
  const { sources, names } = catalogue.own.get(owner) ?? { sources: new Map<string, Sources>(), names: new Map() };
  const references = referencesByImage(catalogue);
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
    references: [imageId, ...referencesOf(catalogue, imageId).map(formatReference)],
    builtFrom: owner === undefined ? undefined : catalogue.own.get(owner)?.sources.get(imageId),
  };
}

/** Whether another image was committed on top of this one. */
export function hasChildren({ images }: Catalogue, imageId: string): boolean {
  for (const { parent } of images.values()) if (parent === imageId) return true;
  return false;
}

function missing(name: string): EngineError {
  return new EngineError("not-found", `No such image: ${name}`);
}

/**
 * Finds an image by full id, reference or unique id prefix, in this order.
 * Throws `invalid` for a malformed reference and `not-found` with the tag spelled out.
 */
export function findImage(catalogue: Catalogue, name: string): StoredImage {
  const parsed = parseImageName(name);
  if (!parsed.ok) throw new EngineError("invalid", referenceMessage(parsed.error));
  if (parsed.value.kind === "id") {
    const found = catalogue.images.get(parsed.value.id);
    if (found === undefined) throw missing(parsed.value.id);
    return found;
  }
  const reference = withDefaultTag(parsed.value.reference);
  const named = findByReference(catalogue, reference);
  const found = named === undefined ? findByPrefix(catalogue, name) : catalogue.images.get(named.imageId);
  if (found === undefined) throw missing(formatFamiliar(reference));
  return found;
}

/** A digest identifies the image, so any tag beside it is ignored. */
function findByReference({ names }: Catalogue, { tag, digest, ...repository }: Reference): NamedImage | undefined {
  return names.get(
    formatReference({ ...repository, ...(digest !== undefined ? { digest } : tag !== undefined ? { tag } : {}) }),
  );
}

function findByPrefix({ images }: Catalogue, prefix: string): StoredImage | undefined {
  const digits = prefix.startsWith("sha256:") ? prefix.slice("sha256:".length) : prefix;
  if (!/^[0-9a-f]+$/.test(digits)) return undefined;
  const found = [...images.values()].filter(({ id }) => id.startsWith(`sha256:${digits}`));
  return found.length === 1 ? found[0] : undefined;
}

/** When the image got its newest name; "" if it has none. */
export function taggedAtOf({ names }: Catalogue, imageId: string): string {
  return [...names.values()].reduce(
    (newest, named) => (named.imageId === imageId && named.taggedAt > newest ? named.taggedAt : newest),
    "",
  );
}

/** Converts an image to the shape that the rest of the service uses. */
export function imageOf(stored: StoredImage, references: readonly Reference[], taggedAt = ""): Image {
  const { id, configuration, chainIds, layerSizes, parent } = stored;
  const { config = {}, rootfs, history = [] } = configuration;
  let layer = 0;
  const { architecture, os, variant } = configuration;
  return {
    id,
    manifest: { ...stored.manifest, platform: { architecture, os, ...(variant && { variant }) } },
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
