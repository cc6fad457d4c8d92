/**
 * Gives each of the promises that come one after the other, or undefined once `end` has fulfilled. `Promise.race` would keep each result, such
 * as every chunk of a stream, for as long as `end` is pending.
 */
export function orEnd(end: Promise<unknown>): <T>(next: Promise<T>) => Promise<T | undefined> {
  let isOver = false;
  let stop = (): void => undefined;
  void end.then(() => {
    isOver = true;
    stop();
  });
  return (next) =>
    new Promise((resolve, reject) => {
      stop = () => resolve(undefined);
      if (isOver) stop();
      next.then(resolve, reject);
    });
}
