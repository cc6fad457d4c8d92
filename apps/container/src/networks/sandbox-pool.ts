import type { Log } from "../engine/log.ts";

/** Things made ahead, so that whoever needs one does not wait for the making. */
export interface Pool<T> {
  /** A ready one, if there is; others are made before long. */
  take(): T | undefined;
  /** Fills up in the background. */
  fill(): void;
  /** Stops making, and gives those nobody took. */
  close(): Promise<readonly T[]>;
}

/** How long after a take the next are made: the container that took it is likely up by then, and has had the processor for itself. */
const REST_MS = 300;

/** @param make makes that many; a failure is logged and tried again after the next take. */
export function createPool<T>(size: number, make: (count: number) => Promise<readonly T[]>, log: Log): Pool<T> {
  const ready: T[] = [];
  let closed = false;
  let filling: Promise<void> | undefined;
  let resting: NodeJS.Timeout | undefined;

  const fillUp = async () => {
    while (!closed && ready.length < size) ready.push(...(await make(size - ready.length)));
  };
  const fill = () => {
    resting = undefined;
    filling ??= fillUp()
      .catch((thrown: unknown) => log.warn({ err: thrown }, "no sandbox could be made ahead"))
      .finally(() => {
        filling = undefined;
      });
  };

  return {
    take: () => {
      const one = ready.shift();
      if (!closed) resting ??= setTimeout(fill, REST_MS).unref();
      return one;
    },
    fill,
    close: async () => {
      closed = true;
      clearTimeout(resting);
      await filling;
      return ready.splice(0);
    },
  };
}
