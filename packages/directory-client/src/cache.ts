import { DirectoryUnavailable } from "./request.ts";

const MAX_ENTRIES = 10_000;

interface Entry<Value> {
  readonly value: Value;
  readonly at: number;
  isOutdated: boolean;
}

interface CacheOptions<Key, Value> {
  /** Asks the directory. */
  readonly load: (key: Key) => Promise<Value>;
  /** Milliseconds for which an answer is used without asking again. */
  readonly freshFor: () => number;
  /** Milliseconds for which an answer is used when the directory does not answer. */
  readonly staleFor: number;
  /** Milliseconds of a clock that only goes forward. */
  readonly monotonic: () => number;
}

/** Caches the directory's answers by what was asked about. An answer from before a change of its record is never used. */
export class Cache<Key, Value> {
  readonly #options: CacheOptions<Key, Value>;
  readonly #entries = new Map<Key, Entry<Value>>();
  readonly #loading = new Map<Key, Promise<Value>>();
  // Counts changes: an answer that was requested before one is outdated when it arrives.
  #changes = 0;

  constructor(options: CacheOptions<Key, Value>) {
    this.#options = options;
  }

  /** The cached answer while it is fresh, else the directory's. Throws `DirectoryUnavailable`. */
  async get(key: Key): Promise<Value> {
    const { freshFor, staleFor, monotonic } = this.#options;
    const entry = this.#entries.get(key);
    const age = entry === undefined ? Number.POSITIVE_INFINITY : monotonic() - entry.at;
    if (entry !== undefined && !entry.isOutdated && age <= freshFor()) return entry.value;
    try {
      return await this.#loadOnce(key);
    } catch (fault) {
      if (fault instanceof DirectoryUnavailable && entry !== undefined && !entry.isOutdated && age <= staleFor)
        return entry.value;
      throw fault;
    }
  }

  /** Marks the answer about `key`, or every answer, as outdated by a change. */
  outdate(key?: Key): void {
    this.#changes++;
    this.#loading.clear();
    const concerned = key === undefined ? [...this.#entries.values()] : [this.#entries.get(key)];
    for (const entry of concerned) if (entry) entry.isOutdated = true;
  }

  /** Callers that ask for the same key at the same time share one request. */
  #loadOnce(key: Key): Promise<Value> {
    const underWay = this.#loading.get(key);
    if (underWay !== undefined) return underWay;
    const loading = this.#load(key).finally(() => {
      if (this.#loading.get(key) === loading) this.#loading.delete(key);
    });
    this.#loading.set(key, loading);
    return loading;
  }

  async #load(key: Key): Promise<Value> {
    const [changes, at] = [this.#changes, this.#options.monotonic()];
    const value = await this.#options.load(key);
    // Deleted first, so that the oldest entry stands first.
    this.#entries.delete(key);
    this.#entries.set(key, { value, at, isOutdated: changes !== this.#changes });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_ENTRIES && oldest !== undefined) this.#entries.delete(oldest);
    return value;
  }
}
