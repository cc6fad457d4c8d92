import { EngineError } from "../engine/errors.ts";

export interface QueueLimits {
  /** Builds at the same time. */
  readonly running: number;
  /** Builds of one owner that wait or run. */
  readonly perOwner: number;
}

interface Waiting {
  readonly owner: string;
  readonly start: () => void;
}

/**
 * Runs builds in the order in which they came, a few at a time and one of each owner: builds of one owner share a cache, and one
 * owner never holds up the others.
 */
export class BuildQueue {
  readonly #limits: QueueLimits;
  readonly #running = new Set<string>();
  readonly #counts = new Map<string, number>();
  #waiting: Waiting[] = [];

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** Takes a place for a build of the owner. Throws `too-many` where it has too many. The result gives the place back. */
  reserve(owner: string): () => void {
    const count = this.#counts.get(owner) ?? 0;
    if (count >= this.#limits.perOwner)
      throw new EngineError("too-many", `${count} builds of yours wait or run already: wait until one of them ends`);
    this.#counts.set(owner, count + 1);
    return () => {
      const left = (this.#counts.get(owner) ?? 1) - 1;
      if (left === 0) this.#counts.delete(owner);
      else this.#counts.set(owner, left);
    };
  }

  /** Runs `work` in its turn; `onWait` is called where it does not run at once. Throws the signal's reason if that ends the waiting. */
  async run<T>(owner: string, signal: AbortSignal, work: () => Promise<T>, onWait: () => void = () => {}): Promise<T> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const waiting: Waiting = { owner, start: () => settle(resolve) };
      const abort = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        settle(() => reject(signal.reason));
      };
      const settle = (how: () => void) => {
        signal.removeEventListener("abort", abort);
        how();
      };
      signal.addEventListener("abort", abort, { once: true });
      this.#waiting.push(waiting);
      this.#startNext();
      if (this.#waiting.includes(waiting)) onWait();
    });
    try {
      return await work();
    } finally {
      this.#running.delete(owner);
      this.#startNext();
    }
  }

  #startNext(): void {
    while (this.#running.size < this.#limits.running) {
      const index = this.#waiting.findIndex(({ owner }) => !this.#running.has(owner));
      const [next] = index < 0 ? [] : this.#waiting.splice(index, 1);
      if (next === undefined) return;
      this.#running.add(next.owner);
      next.start();
    }
  }
}
