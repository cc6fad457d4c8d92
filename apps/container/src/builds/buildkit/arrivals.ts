import { EngineError } from "../../engine/errors.ts";

/** Things by name that others may wait for. */
export class Arrivals<T> {
  readonly #there = new Map<string, T>();
  readonly #waiting = new Map<string, Set<(thing: T) => void>>();
  readonly #missing: string;

  /** @param missing what an error says of a thing that does not come */
  constructor(missing: string) {
    this.#missing = missing;
  }

  has(name: string): boolean {
    return this.#there.has(name);
  }

  add(name: string, thing: T): void {
    this.#there.set(name, thing);
    for (const arrived of this.#waiting.get(name) ?? []) arrived(thing);
  }

  delete(name: string): void {
    this.#there.delete(name);
  }

  /** The thing, once it is there. Throws `not-found` after so long. */
  async get(name: string, timeoutMs: number): Promise<T> {
    const there = this.#there.get(name);
    if (there !== undefined) return there;
    return await new Promise<T>((resolve, reject) => {
      const waiting = this.#waiting.get(name) ?? new Set();
      this.#waiting.set(name, waiting);
      const settle = (how: () => void) => {
        clearTimeout(timer);
        waiting.delete(arrived);
        if (waiting.size === 0) this.#waiting.delete(name);
        how();
      };
      const arrived = (thing: T) => settle(() => resolve(thing));
      const timer = setTimeout(() => settle(() => reject(new EngineError("not-found", this.#missing))), timeoutMs);
      waiting.add(arrived);
    });
  }
}
