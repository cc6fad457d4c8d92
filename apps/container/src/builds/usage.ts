import type { FullCatalogue } from "../images/catalogue.ts";
import { ownBytes } from "../images/own-bytes.ts";
import { HeldQuotas } from "../policy/held-quotas.ts";
import { CacheSizes } from "./cache-sizes.ts";

/** What builds take of their owners' quotas. */
export interface BuildUsage {
  /** What each owner's build cache takes of the disk. */
  readonly caches: CacheSizes;
  /** The builds that run. */
  readonly held: HeldQuotas;
  /** Bytes of an owner's images and build cache. */
  readonly bytesOf: (owner: string) => number;
}

export function createBuildUsage(catalogue: FullCatalogue): BuildUsage {
  const caches = new CacheSizes();
  return {
    caches,
    held: new HeldQuotas(),
    bytesOf: (owner) => ownBytes(catalogue, owner) + caches.of(owner),
  };
}
