/**
 * An iterable of what `next` gives until it gives undefined; `end` is called once, at the end or when its reader leaves. Calls wait for
 * one another, as with a generator. Unlike a generator, which keeps its variables while it waits for its reader, it keeps no item: with
 * hundreds of readers that are slow, those are what the garbage collector copies again and again.
 */
export function iterate<Item>(
  next: () => Promise<Item | undefined>,
  end: () => unknown = () => undefined,
): AsyncIterableIterator<Item> {
  let isOver = false;
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = queue.then(work);
    queue = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  };
  const finish = async (): Promise<IteratorReturnResult<undefined>> => {
    if (!isOver) {
      isOver = true;
      await end();
    }
    return { done: true, value: undefined };
  };
  const step = async (): Promise<IteratorResult<Item, undefined>> => {
    if (isOver) return finish();
    try {
      const value = await next();
      return value === undefined ? await finish() : { done: false, value };
    } catch (thrown) {
      await finish();
      throw thrown;
    }
  };
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => inTurn(step),
    return: () => inTurn(finish),
  };
}

/** What `work` makes of each item, without those of which it makes undefined. */
export function mapped<Item, Result>(
  source: AsyncIterable<Item>,
  work: (item: Item) => Result | undefined,
): AsyncIterableIterator<Result> {
  const items = source[Symbol.asyncIterator]();
  return iterate(
    async () => {
      for (;;) {
        const { done, value } = await items.next();
        if (done) return undefined;
        const result = work(value);
        if (result !== undefined) return result;
      }
    },
    () => items.return?.(),
  );
}

/** The items of an iterable that is opened when the first of them is asked for. */
export function opened<Item>(open: () => Promise<AsyncIterable<Item>>): AsyncIterableIterator<Item> {
  let items: AsyncIterator<Item> | undefined;
  return iterate(
    async () => {
      items ??= (await open())[Symbol.asyncIterator]();
      const { done, value } = await items.next();
      return done ? undefined : value;
    },
    () => items?.return?.(),
  );
}
