/**
 * The items of all iterators as they come, each with its iterator's index; of each one item is asked for ahead. An iterator that fails has ended.
 * A race of the next items would keep each that was given for as long as another iterator, such as a silent stderr, gives none.
 */
export async function* merged<Item>(
  iterators: readonly AsyncIterator<Item>[],
): AsyncGenerator<{ readonly index: number; readonly item: Item }> {
  const ready: { readonly index: number; readonly result: IteratorResult<Item> }[] = [];
  let wake = (): void => undefined;
  const ask = async (index: number): Promise<void> => {
    const ended = { done: true, value: undefined } as const;
    const result = (await iterators[index]?.next().catch(() => ended)) ?? ended;
    ready.push({ index, result });
    wake();
  };
  let running = iterators.length;
  for (const index of iterators.keys()) void ask(index);
  while (running > 0) {
    const next = ready.shift();
    if (next === undefined) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    } else if (next.result.done) running--;
    else {
      void ask(next.index);
      yield { index: next.index, item: next.result.value };
    }
  }
}
