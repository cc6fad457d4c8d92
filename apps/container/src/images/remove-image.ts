import { EngineError, isEngineError } from "../engine/errors.ts";
import { labelsPass, requireKnownFilters } from "../engine/filters.ts";
import { type Catalogue, findImage, hasChildren, referencesOf, type StoredImage } from "./catalogue.ts";
import type { ImageContext } from "./context.ts";
import { tell } from "./context.ts";
import type { Images } from "./images.ts";
import { formatReference } from "./reference/reference.ts";
import type { ImagesInUse, RemovalOptions } from "./removal.ts";
import { linesOf, planRemoval } from "./removal.ts";
import { createdMs, flagOf, untilOf } from "./select-images.ts";

type Lines = Awaited<ReturnType<Images["remove"]>>;

/** Removes a name of an image, and with its last name the image. Throws `conflict` with Docker's message if the image is in use. */
export async function removeImage(context: ImageContext, name: string, options: RemovalOptions): Promise<Lines> {
  const steps = await context.library.remove(
    (catalogue) => {
      const plan = planRemoval(catalogue, name, options);
      if (!plan.ok) throw new EngineError("conflict", plan.error);
      return plan.value;
    },
    // Emit each event as its step is done: an untag has the labels of the existing image, a delete has none.
    ({ kind, imageId }) => tell(context, kind, imageId, imageId),
  );
  return steps.flatMap(linesOf);
}

/** Removes unused images: untagged ones, or with `dangling=false` every image without a container. */
export async function pruneImages(
  context: ImageContext,
  { filters, inUse }: Parameters<Images["prune"]>[0],
): ReturnType<Images["prune"]> {
  requireKnownFilters(filters, ["dangling", "label", "label!", "until"]);
  const danglingOnly = flagOf(filters, "dangling") ?? true;
  const moments = (filters.get("until") ?? []).map((value) => untilOf(value, context.now().getTime()));
  const [until = Number.POSITIVE_INFINITY] = moments;
  if (moments.length > 1) throw new EngineError("invalid", "more than one until filter specified");

  const { catalogue } = context.library;
  const candidates = [...catalogue.images.values()].filter((image) => {
    // dockerd removes all but the last name of an image in use, although its documentation says that such an image is left alone.
    if (inUse.has(image.id)) return false;
    if (createdMs(image) > until || !labelsPass(filters, image.configuration.config?.Labels ?? {})) return false;
    const references = referencesOf(catalogue, image.id);
    if (hasChildren(catalogue, image.id) && (danglingOnly || references.length === 0)) return false;
    return !danglingOnly || references.every(({ tag }) => tag === undefined);
  });
  // A container keeps its image whatever its state.
  const users: ImagesInUse = new Map([...inUse].map((id) => [id, { containerId: "", running: false }]));
  const sizes = layerSizesOf(catalogue);
  const deleted: Lines[number][] = [];
  for (const image of candidates) deleted.push(...(await pruneImage(context, image, users)));
  const spaceReclaimed = deleted.reduce(
    (sum, line) => sum + ("Deleted" in line ? (sizes.get(line.Deleted) ?? 0) : 0),
    0,
  );
  return { deleted, spaceReclaimed };
}

async function pruneImage(context: ImageContext, image: StoredImage, inUse: ImagesInUse): Promise<Lines> {
  const names = referencesOf(context.library.catalogue, image.id).map(formatReference);
  const lines: Lines[number][] = [];
  for (const name of names.length === 0 ? [image.id] : names) {
    try {
      findImage(context.library.catalogue, name);
      lines.push(...(await removeImage(context, name, { force: false, prune: true, inUse })));
    } catch (thrown) {
      // It was removed with another image, or is in use by now.
      if (!isEngineError(thrown, "conflict") && !isEngineError(thrown, "not-found")) throw thrown;
    }
  }
  return lines;
}

function layerSizesOf({ images }: Catalogue): ReadonlyMap<string, number> {
  return new Map(
    [...images.values()].flatMap(({ chainIds, layerSizes }) =>
      chainIds.map((id, index) => [id, layerSizes[index] ?? 0] as const),
    ),
  );
}
