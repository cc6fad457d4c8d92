import type { Actor } from "../engine/actor.ts";
import type { StoredImage } from "../images/catalogue.ts";
import { assertStorageAllowed } from "../policy/containers.ts";
import type { WorkContext } from "./work-context.ts";

/** Throws `forbidden` where the images that a build gives take its owner over the quota on storage: layers that are here count no more. */
export function assertResultFits(
  { imageContext, storageOf }: Pick<WorkContext, "imageContext" | "storageOf">,
  actor: Actor,
  images: readonly Pick<StoredImage, "layerSizes" | "chainIds">[],
): void {
  if (actor.kind !== "user") return;
  const there = new Set([...imageContext.library.catalogue.images.values()].flatMap((image) => image.chainIds));
  const sizes = images.flatMap(({ layerSizes, chainIds }) =>
    chainIds.map((id, at) => [id, layerSizes[at] ?? 0] as const),
  );
  const added = [...new Map(sizes)].reduce((sum, [id, size]) => sum + (there.has(id) ? 0 : size), 0);
  assertStorageAllowed(actor, storageOf(actor.id) + added);
}
