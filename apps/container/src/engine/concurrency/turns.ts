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

/** How many items of a list are worked on before others have their turn: about a millisecond. */
const PIECE = 32;

/** The results of `work` in the order of the items, one piece of the list in each turn, so that a long list holds up no other request. */
export async function inPieces<Item, Result>(
  items: readonly Item[],
  takeTurn: Turn,
  work: (item: Item) => Result | Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += PIECE) {
    if (at > 0) await takeTurn();
    results.push(...(await Promise.all(items.slice(at, at + PIECE).map(work))));
  }
  return results;
}
