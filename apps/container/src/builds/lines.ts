/** How many lines wait for a reader before their writer waits. */
const MOST_WAITING = 64;

/** Items from a writer to one reader, as fast as the reader takes them. */
export class Lines<T> implements AsyncIterable<T> {
  readonly #waiting: T[] = [];
  #ended = false;
  #left = false;
  #hurried = false;
  #wakeReader = (): void => {};
  #wakeWriters: (() => void)[] = [];
  readonly #onLeave: () => void;

  /** @param onLeave called once the reader stops before the end. */
  constructor(onLeave: () => void) {
    this.#onLeave = onLeave;
  }

  /** Settles when the reader keeps up again; at once after it left. */
  async push(item: T): Promise<void> {
    if (this.#left) return;
    this.#waiting.push(item);
    this.#wakeReader();
    if (this.#waiting.length >= MOST_WAITING && !this.#hurried)
      await new Promise<void>((resolve) => {
        this.#wakeWriters.push(resolve);
      });
  }

  end(): void {
    this.#ended = true;
    this.#wakeReader();
    this.#release();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    try {
      for (;;) {
        const [next] = this.#waiting.splice(0, 1);
        if (next !== undefined) {
          this.#release();
          yield next;
        } else if (this.#ended) return;
        else
          await new Promise<void>((resolve) => {
            this.#wakeReader = resolve;
          });
      }
    } finally {
      this.#left = true;
      this.#waiting.length = 0;
      this.#release();
      if (!this.#ended) this.#onLeave();
    }
  }

  /** From now on the writer does not wait: the work was called off, and what it still has to tell is little. */
  hurry(): void {
    this.#hurried = true;
    this.#release();
  }

  #release(): void {
    if (this.#waiting.length >= MOST_WAITING && !this.#left && !this.#ended && !this.#hurried) return;
    for (const wake of this.#wakeWriters.splice(0)) wake();
  }
}
