import type { Log } from "../engine/log.ts";

/** Things created in advance, so that requests do not wait for them. */
export interface Pool<T> {
  /** Takes one, or undefined if the pool is empty; refills in the background. */
  take(): T | undefined;
  /** How many there are to take. */
  count(): number;
  /** Fills the pool in the background. */
  fill(): void;
  /** Stops refilling and returns the unused ones. */
  close(): Promise<readonly T[]>;
}

/** Delays the refill until the container that took one is likely up, so that the two do not compete for the processor. */
const REFILL_DELAY_MS = 300;

/** @param make creates that many; a failure is logged, and the next take retries. */
export function createPool<T>(size: number, make: (count: number) => Promise<readonly T[]>, log: Log): Pool<T> {
  const ready: T[] = [];
  let closed = false;
  let filling: Promise<void> | undefined;
  let delay: NodeJS.Timeout | undefined;

  const fillUp = async () => {
    while (!closed && ready.length < size) ready.push(...(await make(size - ready.length)));
  };
  const fill = () => {
    delay = undefined;
    filling ??= fillUp()
      .catch((thrown: unknown) => log.warn({ err: thrown }, "failed to refill sandbox pool"))
      .finally(() => {
        filling = undefined;
      });
  };

  return {
    take: () => {
      const one = ready.shift();
      if (!closed) delay ??= setTimeout(fill, REFILL_DELAY_MS).unref();
      return one;
    },
    count: () => ready.length,
    fill,
    close: async () => {
      closed = true;
      clearTimeout(delay);
      await filling;
      return ready.splice(0);
    },
  };
}
