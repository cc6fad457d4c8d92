import type { CacheEntry } from "../../builds/builds.ts";

/** One entry of `BuildCache` in `system df`. */
export function cacheShape({ id, parent, description, size, createdAt, inUse }: CacheEntry) {
  return {
    ID: id,
    Parent: parent,
    Type: "regular",
    Description: description,
    InUse: inUse,
    Shared: false,
    Size: size,
    CreatedAt: createdAt,
    LastUsedAt: null,
    UsageCount: 1,
  };
}
