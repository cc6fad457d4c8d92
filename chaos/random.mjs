/**
 * Mulberry32: the same seed gives the same numbers.
 * @param {number} seed
 * @returns {() => number} at least 0, below 1
 */
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @template T @param {() => number} random @param {readonly T[]} list @returns {T} */
export function pick(random, list) {
  return list[Math.floor(random() * list.length)];
}
