import type { Log } from "../containers/surroundings.ts";

/** Things made ahead, so that whoever needs one does not wait for the making. */
export interface Pool<T> {
  /** A ready one, if there is; another is begun at once. */
  take(): T | undefined;
  /** Fills up in the background. */
  fill(): void;
  /** Stops making, and gives those nobody took. */
  close(): Promise<readonly T[]>;
}

/** @param make makes one; a failure is logged and tried again at the next take. */
export const createPool = <T>(size: number, make: () => Promise<T>, log: Log): Pool<T> => {
  const ready: T[] = [];
  let closed = false;
  let filling: Promise<void> | undefined;

  const fillUp = async () => {
    // One at a time: containers that start just now come first.
    while (!closed && ready.length < size) ready.push(await make());
  };
  const fill = () => {
    filling ??= fillUp()
      .catch((thrown: unknown) => log.warn({ fault: String(thrown) }, "a sandbox could not be made ahead"))
      .finally(() => {
        filling = undefined;
      });
  };

  return {
    take: () => {
      const one = ready.shift();
      if (!closed) fill();
      return one;
    },
    fill,
    close: async () => {
      closed = true;
      await filling;
      return ready.splice(0);
    },
  };
};
