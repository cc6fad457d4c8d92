import { DirectoryUnavailable } from "./request.ts";

/** Answers of the directory by what was asked about. */
export interface Kept<Key, Value> {
  /** What is known and young enough, else what the directory says now. Throws `DirectoryUnavailable`. */
  get(key: Key): Promise<Value>;
  /** A change was heard of: what is known of `key`, or of everything, may no longer hold. */
  outdate(key?: Key): void;
}

const MAX_ENTRIES = 10_000;

interface Entry<Value> {
  readonly value: Value;
  readonly at: number;
  isOutdated: boolean;
}

/**
 * Keeps what `ask` answers. An answer is used for `freshFor()` milliseconds, and for `staleFor` where the directory does not
 * answer; an outdated one never.
 */
export function keep<Key, Value>(options: {
  readonly ask: (key: Key) => Promise<Value>;
  readonly freshFor: () => number;
  readonly staleFor: number;
  readonly monotonic: () => number;
}): Kept<Key, Value> {
  const { freshFor, staleFor, monotonic } = options;
  const entries = new Map<Key, Entry<Value>>();
  const asked = new Map<Key, Promise<Value>>();
  // Grows with every change: an answer that was asked for before one is outdated when it comes.
  let changes = 0;

  async function ask(key: Key): Promise<Value> {
    const [asOf, at] = [changes, monotonic()];
    const value = await options.ask(key);
    entries.delete(key);
    entries.set(key, { value, at, isOutdated: asOf !== changes });
    const [oldest] = entries.keys();
    if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest);
    return value;
  }

  /** Callers that ask for the same at the same time share one request. */
  function askOnce(key: Key): Promise<Value> {
    const underWay = asked.get(key);
    if (underWay !== undefined) return underWay;
    const asking = ask(key).finally(() => {
      if (asked.get(key) === asking) asked.delete(key);
    });
    asked.set(key, asking);
    return asking;
  }

  return {
    async get(key) {
      const known = entries.get(key);
      const age = known === undefined ? Number.POSITIVE_INFINITY : monotonic() - known.at;
      if (known !== undefined && !known.isOutdated && age <= freshFor()) return known.value;
      try {
        return await askOnce(key);
      } catch (fault) {
        // A change that was heard of makes the answer worthless at once, however young it is.
        if (fault instanceof DirectoryUnavailable && known !== undefined && !known.isOutdated && age <= staleFor)
          return known.value;
        throw fault;
      }
    },
    outdate(key) {
      changes++;
      asked.clear();
      const concerned = key === undefined ? [...entries.values()] : [entries.get(key)];
      for (const entry of concerned) if (entry) entry.isOutdated = true;
    },
  };
}
