interface Lock {
  /** How many hold it together; -1 for one alone. */
  held: number;
  readonly waiting: { readonly mode: Mode; readonly go: () => void }[];
}

export type Mode = "shared" | "alone";

/** Locks on records by key: what is checked must not change meanwhile. */
export class Locks {
  readonly #locks = new Map<string, Lock>();

  /** Holds all of them while the work runs. Taken in the order of their keys, so that nobody waits for each other. */
  async hold(keys: Readonly<Record<string, Mode>>, work: () => Promise<void>): Promise<void> {
    const taken: [string, Mode][] = [];
    try {
      for (const [key, mode] of Object.entries(keys).sort(([a], [b]) => (a < b ? -1 : 1))) {
        await this.#take(key, mode);
        taken.push([key, mode]);
      }
      await work();
    } finally {
      for (const [key, mode] of taken) this.#release(key, mode);
    }
  }

  async #take(key: string, mode: Mode): Promise<void> {
    const lock = this.#locks.get(key) ?? { held: 0, waiting: [] };
    this.#locks.set(key, lock);
    if (lock.waiting.length > 0 || !isFree(lock, mode))
      await new Promise<void>((go) => {
        lock.waiting.push({ mode, go });
      });
    else lock.held += step(mode);
  }

  #release(key: string, mode: Mode): void {
    const lock = this.#locks.get(key);
    if (lock === undefined) return;
    lock.held -= step(mode);
    for (let next = lock.waiting[0]; next !== undefined && isFree(lock, next.mode); next = lock.waiting[0]) {
      lock.waiting.shift();
      lock.held += step(next.mode);
      next.go();
    }
  }
}

function isFree({ held }: Lock, mode: Mode): boolean {
  return mode === "alone" ? held === 0 : held >= 0;
}

function step(mode: Mode): number {
  return mode === "alone" ? -1 : 1;
}
