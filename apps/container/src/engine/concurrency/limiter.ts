/** Returns a function that runs at most `count` tasks at once, in call order. */
export function createLimiter(count: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running >= count) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await task();
    } finally {
      // Hand the slot to the next waiter directly, so that no later caller can take it.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
