import { EngineError, isEngineError } from "../engine/errors.ts";
import { labelsPass, requireKnownFilters } from "../engine/filters.ts";
import {
  type Catalogue,
  type FoundImage,
  hasChildren,
  imageIdsOf,
  isOwned,
  ownCatalogue,
  referencesOf,
  type StoredImage,
  siblingIds,
  visibleCatalogue,
} from "./catalogue.ts";
import type { ImageContext } from "./context.ts";
import { shortId, tell } from "./context.ts";
import { findImage } from "./find-image.ts";
import type { Images, ImageViewer } from "./images.ts";
import { imageIdOf } from "./manifest/image-index.ts";
import { formatReference } from "./reference/reference.ts";
import type { ImagesInUse, RemovalOptions } from "./removal.ts";
import { linesOf, planRemoval } from "./removal.ts";
import { createdMs, flagOf, untilOf } from "./select-images.ts";

type Lines = Awaited<ReturnType<Images["remove"]>>;

/** Throws `forbidden` for an image that the viewer sees and that is not its own, and `not-found`. */
export function assertOwn({ library: { catalogue } }: ImageContext, name: string, viewer: ImageViewer): void {
  try {
    findImage(ownCatalogue(catalogue, viewer.owner), name);
  } catch (thrown) {
    if (!isEngineError(thrown, "not-found")) throw thrown;
    findImage(visibleCatalogue(catalogue, viewer), name);
    throw new EngineError("forbidden", `${name} is everyone's image: only an administrator may remove it`);
  }
}

/**
 * Removes a name of an image, and with its last name the image; for an owner its own. Throws `conflict` with Docker's message if the
 * image is in use.
 */
export async function removeImage(
  context: ImageContext,
  name: string,
  { owner, ...options }: RemovalOptions & { readonly owner?: string | undefined },
): Promise<Lines> {
  const full = context.library.catalogue;
  const isKept = (imageId: string) => owner === undefined && isOwned(full, imageId);
  // Everyone's name of an image is enough for the containers that use it.
  const inUse =
    owner === undefined
      ? options.inUse
      : new Map([...options.inUse].filter(([imageId]) => referencesOf(full, imageId).length === 0));
  const steps = await context.library.remove(
    (catalogue) => {
      const plan = planRemoval(catalogue, name, { ...options, inUse, isKept });
      if (!plan.ok) throw new EngineError("conflict", plan.error);
      return plan.value;
    },
    // Emit each event as its step is done: an untag has the labels of the existing image, a delete has none.
    ({ kind, imageId }) => tell(context, kind, { id: imageId, name: imageId, owner }),
    owner,
  );
  return steps.flatMap(linesOf);
}

/**
 * Removes the images of an index for some platforms from all names of it; the whole image where no other is left. Throws `invalid`
 * without `force`, as in Docker, and `conflict` for one in use.
 */
export async function removePlatforms(
  context: ImageContext,
  name: string,
  { target, chosen }: { readonly target: FoundImage; readonly chosen: readonly StoredImage[] },
  options: RemovalOptions & { readonly owner?: string | undefined },
): Promise<Lines> {
  const { library } = context;
  if (!options.force)
    throw new EngineError(
      "invalid",
      "Content will be removed from all images referencing this variant. Use —-force to force delete.",
    );
  const { index } = target;
  const gone = [...new Set(chosen.map(({ id }) => id))];
  const here = index === undefined ? [] : imageIdsOf({ imageId: target.image.id, index });
  if (index === undefined || options.owner !== undefined || here.every((id) => gone.includes(id)))
    return removeImage(context, name, options);
  for (const id of gone) {
    const user = options.inUse.get(id);
    const why = user?.running ? `image is being used by running container ${shortId(user.containerId)}` : undefined;
    const kept = hasChildren(library.catalogue, id) ? "image has dependent child images" : why;
    if (kept !== undefined)
      throw new EngineError("conflict", `conflict: unable to delete ${shortId(id)} (cannot be forced) - ${kept}`);
  }
  const digests = index.members.flatMap((member) =>
    gone.includes(imageIdOf(member) ?? "") ? [member.entry.digest] : [],
  );
  await library.removeMembers(index, gone);
  return digests.map((digest) => ({ Deleted: digest }));
}

/** Removes unused images, for an owner its own: untagged ones, or with `dangling=false` every image without a container. */
export async function pruneImages(
  context: ImageContext,
  { filters, inUse, owner }: Parameters<Images["prune"]>[0],
): ReturnType<Images["prune"]> {
  requireKnownFilters(filters, ["dangling", "label", "label!", "until"]);
  const danglingOnly = flagOf(filters, "dangling") ?? true;
  const moments = (filters.get("until") ?? []).map((value) => untilOf(value, context.now().getTime()));
  const [until = Number.POSITIVE_INFINITY] = moments;
  if (moments.length > 1) throw new EngineError("invalid", "more than one until filter specified");

  const full = context.library.catalogue;
  const catalogue = owner === undefined ? full : ownCatalogue(full, owner);
  const namedByOwners = new Set(
    owner === undefined
      ? [...full.own.values()].flatMap(({ names }) => [...names.values()].map((one) => one.imageId))
      : [],
  );
  const siblings = siblingIds(catalogue);
  const candidates = [...catalogue.images.values()].filter((image) => {
    if (siblings.has(image.id)) return false;
    // dockerd removes all but the last name of an image in use, although its documentation says that such an image is left alone.
    if (inUse.has(image.id)) return false;
    if (createdMs(image) > until || !labelsPass(filters, image.configuration.config?.Labels ?? {})) return false;
    const references = referencesOf(catalogue, image.id);
    if (hasChildren(catalogue, image.id) && (danglingOnly || references.length === 0)) return false;
    return !danglingOnly || (!namedByOwners.has(image.id) && references.every(({ tag }) => tag === undefined));
  });
  // A container keeps its image whatever its state.
  const users: ImagesInUse = new Map([...inUse].map((id) => [id, { containerId: "", running: false }]));
  const sizes = layerSizesOf(catalogue);
  const deleted: Lines[number][] = [];
  for (const image of candidates)
    deleted.push(...(await pruneImage(context, catalogue, image, { inUse: users, owner })));
  const spaceReclaimed = deleted.reduce(
    (sum, line) => sum + ("Deleted" in line ? (sizes.get(line.Deleted) ?? 0) : 0),
    0,
  );
  return { deleted, spaceReclaimed };
}

async function pruneImage(
  context: ImageContext,
  catalogue: Catalogue,
  image: StoredImage,
  { inUse, owner }: { readonly inUse: ImagesInUse; readonly owner: string | undefined },
): Promise<Lines> {
  const names = referencesOf(catalogue, image.id).map(formatReference);
  const lines: Lines[number][] = [];
  for (const name of names.length === 0 ? [image.id] : names) {
    try {
      lines.push(...(await removeImage(context, name, { force: false, prune: true, inUse, owner })));
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
