import { EngineError } from "../engine/errors.ts";
import { type Catalogue, type FoundImage, imageIdsOf, type NamedImage, type StoredImage } from "./catalogue.ts";
import type { Platform } from "./manifest/manifest.ts";
import { choosePlatform, formatPlatform, parsePlatform } from "./manifest/platform.ts";
import type { Reference } from "./reference/reference.ts";
import {
  formatFamiliar,
  formatReference,
  parseImageName,
  referenceMessage,
  withDefaultTag,
} from "./reference/reference.ts";

function missing(name: string): EngineError {
  return new EngineError("not-found", `No such image: ${name}`);
}

/**
 * Finds an image by full id, reference or unique id prefix, in this order; by an index's or a manifest's digest as well.
 * Throws `invalid` for a malformed reference and `not-found` with the tag spelled out.
 */
export function findTarget(catalogue: Catalogue, name: string): FoundImage {
  const parsed = parseImageName(name);
  if (!parsed.ok) throw new EngineError("invalid", referenceMessage(parsed.error));
  if (parsed.value.kind === "id") {
    const found = findById(catalogue, parsed.value.id);
    if (found === undefined) throw missing(parsed.value.id);
    return found;
  }
  const reference = withDefaultTag(parsed.value.reference);
  const named = findByReference(catalogue, reference);
  const found = named === undefined ? findByPrefix(catalogue, name) : targetOf(catalogue, named);
  if (found === undefined) throw missing(formatFamiliar(reference));
  return found;
}

/** The image of `findTarget`. */
export function findImage(catalogue: Catalogue, name: string): StoredImage {
  return findTarget(catalogue, name).image;
}

/** What a name that is in the catalogue means. */
export function targetOf({ images }: Catalogue, { imageId, index }: NamedImage): FoundImage | undefined {
  const image = images.get(imageId);
  return image === undefined ? undefined : { image, ...(index !== undefined && { index }) };
}

/** An image by its id with the index that its names mean, as Docker knows such an image by its index alone. */
function findById(catalogue: Catalogue, id: string): FoundImage | undefined {
  const names = [...catalogue.names.values()].filter(({ index }) => index !== undefined);
  const meant = names.find(({ imageId, index }) => imageId === id || index?.descriptor.digest === id);
  if (meant !== undefined) return targetOf(catalogue, meant);
  const image =
    catalogue.images.get(id) ?? [...catalogue.images.values()].find(({ manifest }) => manifest.digest === id);
  return image === undefined ? undefined : { image };
}

/** The image of a target for a platform; undefined if it has none, or none of it is here. */
export function imageFor(
  { images }: Catalogue,
  { image, index }: FoundImage,
  platform: Platform,
): StoredImage | undefined {
  const members =
    index === undefined ? [image] : imageIdsOf({ imageId: image.id, index }).flatMap((id) => images.get(id) ?? []);
  const entries = members.map((member) => ({ ...member.manifest, image: member, platform: member.configuration }));
  return choosePlatform(entries, platform)?.image;
}

/** A digest identifies the image, so any tag beside it is ignored. */
function findByReference({ names }: Catalogue, { tag, digest, ...repository }: Reference): NamedImage | undefined {
  return names.get(
    formatReference({ ...repository, ...(digest !== undefined ? { digest } : tag !== undefined ? { tag } : {}) }),
  );
}

function findByPrefix(catalogue: Catalogue, prefix: string): FoundImage | undefined {
  const digits = prefix.startsWith("sha256:") ? prefix.slice("sha256:".length) : prefix;
  if (!/^[0-9a-f]+$/.test(digits)) return undefined;
  const [found, ...others] = [...catalogue.images.keys()].filter((id) => id.startsWith(`sha256:${digits}`));
  return found === undefined || others.length > 0 ? undefined : findById(catalogue, found);
}

/** The image of a target for a platform as text. Throws `invalid` for a bad one, and `not-found` with Docker's message. */
export function expectPlatform(
  catalogue: Catalogue,
  name: string,
  target: FoundImage,
  text: string,
  own: Platform,
): StoredImage {
  const wished = parsePlatform(text, own);
  if (!wished.ok) throw new EngineError("invalid", wished.error);
  const found = imageFor(catalogue, target, wished.value);
  if (found !== undefined) return found;
  throw new EngineError(
    "not-found",
    `image with reference ${name} was found but does not provide the specified platform (${formatPlatform(wished.value)})`,
  );
}
