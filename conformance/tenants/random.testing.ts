/** Numbers that a seed decides (mulberry32), so that a run can be repeated. */
export interface SeededRandom {
  /** A whole number from 0 to `below` - 1. */
  below(below: number): number;
  /** One of the values; throws if there is none. */
  pick<T>(values: readonly T[]): T;
  isLikely(share: number): boolean;
}

export function seeded(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick: (values) => {
      const [picked] = values.slice(below(values.length));
      if (picked === undefined) throw new Error("nothing to pick from");
      return picked;
    },
    isLikely: (share) => next() < share,
  };
}
