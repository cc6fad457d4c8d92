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

/** Takes a name from an image, and the image away with its last name. `conflict` with Docker's message where it may not go. */
export async function removeImage(context: ImageContext, name: string, options: RemovalOptions): Promise<Lines> {
  const steps = await context.library.remove(
    (catalogue) => {
      const plan = planRemoval(catalogue, name, options);
      if (!plan.ok) throw new EngineError("conflict", plan.error);
      return plan.value;
    },
    // As each is done: an untag has the labels of the image, which is still there, a delete none.
    ({ kind, imageId }) => tell(context, kind, imageId, imageId),
  );
  return steps.flatMap(linesOf);
}

/** Removes the images that nobody needs: those without a tag, or with `dangling=false` all that no container stands on. */
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
    // dockerd takes all names but the last from an image in use; its documentation says that such an image is left alone.
    if (inUse.has(image.id)) return false;
    if (createdMs(image) > until || !labelsPass(filters, image.configuration.config?.Labels ?? {})) return false;
    const references = referencesOf(catalogue, image.id);
    if (hasChildren(catalogue, image.id) && (danglingOnly || references.length === 0)) return false;
    return !danglingOnly || references.every(({ tag }) => tag === undefined);
  });
  // The state of a container does not matter here: whatever stands on an image keeps it.
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
      // It went with another, or something needs it after all.
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
