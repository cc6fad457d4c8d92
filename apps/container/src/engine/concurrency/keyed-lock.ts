/** A mutex per key, first come, first served. */
export class KeyedLock<K> {
  readonly #tails = new Map<K, Promise<unknown>>();

  /** Runs `work` once every earlier holder of `key` is done. Always releases the key. */
  async hold<T>(key: K, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(work);
    const tail = result.catch(() => {});
    this.#tails.set(key, tail);
    try {
      return await result;
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}
