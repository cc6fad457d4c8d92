/** What changed, and a word about it. */
export interface Signal {
  readonly topic: string;
  readonly detail?: string | undefined;
}

export function hostTopic(name: string): string {
  return `host/${name}`;
}
export function placeTopic(id: number): string {
  return `place/${id}`;
}
/** The id in a topic of `placeTopic`; undefined for any other topic. */
export function placeOfTopic(topic: string): number | undefined {
  const [, digits] = /^place\/([0-9]+)$/.exec(topic) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Wakes those who wait for a host or a place to change. */
export class Signals {
  readonly #waiting = new Map<string, Set<(detail: string | undefined) => void>>();

  publish({ topic, detail }: Signal): void {
    for (const wake of this.#waiting.get(topic) ?? []) wake(detail);
  }

  /** Wakes everyone: signals may have been lost with a connection. */
  missed(): void {
    for (const waiting of this.#waiting.values()) for (const wake of waiting) wake(undefined);
  }

  /**
   * Looks at once and after each signal, until there is something or the time is over.
   *
   * @param look is given the detail of the signal before it.
   */
  async until<T>(
    topic: string,
    milliseconds: number,
    look: (detail: string | undefined) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const end = performance.now() + milliseconds;
    let [isHeard, detail, wake]: [boolean, string | undefined, () => void] = [false, undefined, () => {}];
    const hear = (said: string | undefined) => {
      [isHeard, detail] = [true, said ?? detail];
      wake();
    };
    const listeners = this.#waiting.get(topic) ?? new Set();
    this.#waiting.set(topic, listeners.add(hear));
    try {
      for (;;) {
        isHeard = false;
        const found = await look(detail);
        const left = end - performance.now();
        if (found !== undefined || left <= 0) return found;
        if (!isHeard)
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, left);
            wake = () => {
              clearTimeout(timer);
              resolve();
            };
          });
      }
    } finally {
      listeners.delete(hear);
      if (listeners.size === 0) this.#waiting.delete(topic);
    }
  }
}
