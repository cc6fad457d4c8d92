/** Runs at most `count` tasks at once, in the order they are given. */
export function limitTo(count: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running >= count) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await task();
    } finally {
      // The place is handed on, not given back and taken again: nobody can come between.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
