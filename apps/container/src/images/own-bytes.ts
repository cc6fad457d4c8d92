import { type FullCatalogue, isOwned, ownCatalogue } from "./catalogue.ts";

/** Bytes of the unpacked layers that are in a user's own images and in none of everyone's. */
export function ownBytes(catalogue: FullCatalogue, owner: string): number {
  const mine = ownCatalogue(catalogue, owner).images;
  if (mine.size === 0) return 0;
  const named = new Set([...catalogue.names.values()].map(({ imageId }) => imageId));
  const shared = new Set(
    [...catalogue.images.values()]
      .filter(({ id }) => named.has(id) || !isOwned(catalogue, id))
      .flatMap(({ chainIds }) => chainIds),
  );
  const layers = new Map<string, number>();
  for (const { chainIds, layerSizes } of mine.values())
    for (const [at, chainId] of chainIds.entries()) if (!shared.has(chainId)) layers.set(chainId, layerSizes[at] ?? 0);
  return [...layers.values()].reduce((sum, size) => sum + size, 0);
}
