import { isEngineError } from "../engine/errors.ts";
import { type FoundImage, ownCatalogue } from "../images/catalogue.ts";
import type { ImageContext } from "../images/context.ts";
import { type ImageIndex, readIndex } from "../images/manifest/image-index.ts";
import type { Descriptor } from "../images/manifest/manifest.ts";
import { nameImage } from "../images/name-image.ts";
import { formatReference, type Reference } from "../images/reference/reference.ts";
import { tagOf } from "./prepare-build.ts";
import type { BuildNames, BuildRow } from "./store.ts";

/** What a row says of the image that a build is about to give. */
export function namesOf(
  { image, index }: FoundImage,
  tags: readonly Reference[],
  namer: string | undefined,
): BuildNames {
  return { imageId: image.id, index: index?.descriptor, names: tags.map((tag) => formatReference(tag)), namer };
}

/**
 * Gives an image the names of a build that was killed before it had them. Without the image, or its index, there is nothing to name:
 * what the store has of it is collected. A name that was given since the build began stays.
 */
export async function finishNames(context: ImageContext, { createdAt, result }: BuildRow): Promise<void> {
  const { catalogue } = context.library;
  const image = catalogue.images.get(result?.imageId ?? "");
  if (image === undefined || result === undefined) return;
  const { names, namer } = result;
  const index = result.index && (await tryIndex(context, result.index));
  if (result.index !== undefined && index === undefined) return;
  const given = namer === undefined ? catalogue.names : ownCatalogue(catalogue, namer).names;
  for (const name of names) {
    const taggedAt = given.get(name)?.taggedAt ?? "";
    if (!(Date.parse(taggedAt) >= Date.parse(createdAt)))
      await nameImage(context, tagOf(name), { image, index }, namer);
  }
}

async function tryIndex({ store }: ImageContext, index: Descriptor): Promise<ImageIndex | undefined> {
  try {
    return await readIndex(store, index);
  } catch (thrown) {
    if (isEngineError(thrown, "not-found")) return undefined;
    throw thrown;
  }
}
