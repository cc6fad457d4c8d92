/** Random choices, the same for the same seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number from 0 up to, but not including, `bound` (Mulberry32). */
  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  }

  /** True once in so many times. */
  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[this.below(list.length)] ?? list[0];
  }

  /** One of a list that may be empty. */
  any<T>(list: readonly T[]): T | undefined {
    return list[this.below(Math.max(list.length, 1))];
  }

  /** At most so many of the list, some of them twice. */
  some<T>(list: readonly [T, ...T[]], most: number): T[] {
    return Array.from({ length: this.below(most + 1) }, () => this.pick(list));
  }
}
