import { ownCatalogue } from "../images/catalogue.ts";
import type { ImageContext } from "../images/context.ts";
import { nameImage } from "../images/name-image.ts";
import { formatReference, type Reference } from "../images/reference/reference.ts";
import { tagOf } from "./prepare-build.ts";
import type { BuildNames, BuildRow } from "./store.ts";

/** What a row says of the image that a build is about to give. */
export function namesOf(imageId: string, tags: readonly Reference[], namer: string | undefined): BuildNames {
  return { imageId, names: tags.map((tag) => formatReference(tag)), namer };
}

/**
 * Gives an image the names of a build that was killed before it had them. Without the image there is nothing to name: what the store
 * has of it is collected. A name that was given since the build began stays.
 */
export async function finishNames(context: ImageContext, { createdAt, result }: BuildRow): Promise<void> {
  const { catalogue } = context.library;
  const image = catalogue.images.get(result?.imageId ?? "");
  if (image === undefined || result === undefined) return;
  const { names, namer } = result;
  const given = namer === undefined ? catalogue.names : ownCatalogue(catalogue, namer).names;
  for (const name of names) {
    const taggedAt = given.get(name)?.taggedAt ?? "";
    if (!(Date.parse(taggedAt) >= Date.parse(createdAt))) await nameImage(context, tagOf(name), { image }, namer);
  }
}
