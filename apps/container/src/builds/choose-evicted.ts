import type { CacheEntry, CachePruning } from "./builds.ts";

/** The entries that a builder removes with this one: those that nothing else was built upon, up to a base image. */
function chainOf(
  leaf: CacheEntry,
  entries: ReadonlyMap<string, CacheEntry>,
  children: ReadonlyMap<string, number>,
): readonly CacheEntry[] {
  const chain = [leaf];
  for (let at = entries.get(leaf.parent); at !== undefined && !at.isBase; at = entries.get(at.parent)) {
    if ((children.get(at.id) ?? 0) > 1) break;
    chain.push(at);
  }
  return chain;
}

/**
 * Chooses what to remove of a cache: what nothing else was built upon, the oldest first, each with all that only it was built upon,
 * until no more than `keep` is left. Pure.
 */
export function chooseEvicted(
  all: readonly CacheEntry[],
  { keep, before, matches }: CachePruning,
): readonly CacheEntry[] {
  const entries = new Map(all.map((entry) => [entry.id, entry]));
  let left = all.reduce((sum, { size }) => sum + size, 0);
  const evicted: CacheEntry[] = [];
  for (;;) {
    const children = new Map<string, number>();
    for (const { parent } of entries.values()) children.set(parent, (children.get(parent) ?? 0) + 1);
    const [oldest] = [...entries.values()]
      .filter((entry) => !children.has(entry.id) && Date.parse(entry.createdAt) < before && matches(entry))
      .sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
    if (oldest === undefined || left <= keep) return evicted;
    for (const entry of chainOf(oldest, entries, children)) {
      entries.delete(entry.id);
      left -= entry.size;
      evicted.push(entry);
    }
  }
}
