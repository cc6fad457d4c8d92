/** Settles when it is the caller's turn. */
export type Turn = () => Promise<void>;

/**
 * Lets work in pieces give way to requests: one waiter goes on in each round of the event loop, in the order of their coming, so that a
 * request waits for one piece however many wait.
 */
export function createTurns(): Turn {
  const waiting: (() => void)[] = [];
  let isScheduled = false;
  const next = (): void => {
    waiting.shift()?.();
    isScheduled = waiting.length > 0;
    if (isScheduled) setImmediate(next);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(next);
    });
}
