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

/** How long the last word about something is kept: a host may decline a place before its taker begins to wait. */
const KEPT_MS = 10_000;

/** Wakes those who wait for a host or a place to change. */
export class Signals {
  readonly #waiting = new Map<string, Set<(detail: string | undefined) => void>>();
  readonly #said = new Map<string, string>();

  publish({ topic, detail }: Signal): void {
    if (detail !== undefined) {
      this.#said.set(topic, detail);
      setTimeout(() => this.#said.delete(topic), KEPT_MS).unref();
    }
    for (const wake of this.#waiting.get(topic) ?? []) wake(detail);
  }

  /** Wakes everyone: signals may have been lost with a connection. */
  missed(): void {
    for (const waiting of this.#waiting.values()) for (const wake of waiting) wake(undefined);
  }

  /**
   * Looks at once and after each signal, until there is something or the time is over.
   *
   * @param look is given the last word about the topic, also one from a moment before.
   */
  async until<T>(
    topic: string,
    milliseconds: number,
    look: (detail: string | undefined) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const end = performance.now() + milliseconds;
    let [isHeard, detail, wake]: [boolean, string | undefined, () => void] = [false, this.#said.get(topic), () => {}];
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
