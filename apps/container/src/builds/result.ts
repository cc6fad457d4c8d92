import type { Actor } from "../engine/actor.ts";
import type { StoredImage } from "../images/catalogue.ts";
import { assertStorageAllowed } from "../policy/containers.ts";
import type { WorkContext } from "./work-context.ts";

/** Throws `forbidden` where a build's result takes its owner over the quota on storage: layers that are here already count once. */
export function assertResultFits(
  { imageContext, storageOf }: Pick<WorkContext, "imageContext" | "storageOf">,
  actor: Actor,
  { layerSizes, chainIds }: Pick<StoredImage, "layerSizes" | "chainIds">,
): void {
  if (actor.kind !== "user") return;
  const there = new Set([...imageContext.library.catalogue.images.values()].flatMap((image) => image.chainIds));
  const added = layerSizes.reduce((sum, size, at) => sum + (there.has(chainIds[at] ?? "") ? 0 : size), 0);
  assertStorageAllowed(actor, storageOf(actor.id) + added);
}
