/** Lets the calls for one key through one after another, and those for different keys at once. */
export const gate = (): (<T>(key: string, call: () => Promise<T>) => Promise<T>) => {
  const last = new Map<string, Promise<unknown>>();
  return async (key, call) => {
    const before = last.get(key);
    const mine = (before ?? Promise.resolve()).then(call, call);
    const settled = mine.catch(() => {});
    last.set(key, settled);
    try {
      return await mine;
    } finally {
      if (last.get(key) === settled) last.delete(key);
    }
  };
};
