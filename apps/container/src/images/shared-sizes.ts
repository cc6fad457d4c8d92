import type { Image } from "./images.ts";
import { chainIdsOf } from "./manifest/manifest.ts";

/**
 * How many bytes of an image's layers other images have, too.
 *
 * @param all every image that counts as another.
 */
export function sharedSizes(all: readonly Image[]): (image: Image) => number {
  const users = new Map<string, number>();
  for (const { diffIds } of all) for (const id of chainIdsOf(diffIds)) users.set(id, (users.get(id) ?? 0) + 1);
  return ({ diffIds, layerSizes }) =>
    chainIdsOf(diffIds).reduce((sum, id, index) => sum + ((users.get(id) ?? 0) > 1 ? (layerSizes[index] ?? 0) : 0), 0);
}
