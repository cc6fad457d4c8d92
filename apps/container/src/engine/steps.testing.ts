/** How a step fails. `after`: its effect has happened all the same. `crash`: nothing happens any more, as if the service were killed. */
export type Failure = "before" | "after" | "crash before" | "crash after";

export const FAILURES: readonly Failure[] = ["before", "after", "crash before", "crash after"];

/** Counts the calls that have effects, and lets one of them fail. */
export class Steps {
  /** The names of the calls so far. */
  readonly calls: string[] = [];
  #failing: { readonly step: number; readonly failure: Failure; readonly error: Error } | undefined;
  #crashed = false;
  readonly #onCrash: () => void;
  /** Settles when the crash has come. */
  readonly crash: Promise<void>;

  constructor() {
    let crashed = () => {};
    this.crash = new Promise((resolve) => {
      crashed = resolve;
    });
    this.#onCrash = crashed;
  }

  /** From now on: lets the call number `step`, counted from 0, fail. */
  failAt(step: number, failure: Failure, error: Error): void {
    this.calls.length = 0;
    this.#failing = { step, failure, error };
  }

  /** Nothing fails any more, and no call is counted. */
  heal(): void {
    this.#failing = undefined;
  }

  /**
   * The same object, whose calls of these names are steps.
   * @param atomic those that have no effect when they fail, by their contract
   */
  in<T extends object, Name extends keyof T & string>(
    real: T,
    part: string,
    names: readonly Name[],
    { atomic = [] }: { readonly atomic?: readonly Name[] } = {},
  ): T {
    return new Proxy(real, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        const bound = (...args: unknown[]): unknown => Reflect.apply(value, target, args);
        if (!names.some((known) => known === name)) return bound;
        const isAtomic = atomic.some((known) => known === name);
        return (...args: unknown[]) => this.#take(`${part}.${String(name)}`, () => bound(...args), isAtomic);
      },
    });
  }

  async #take(name: string, call: () => unknown, isAtomic: boolean): Promise<unknown> {
    if (this.#crashed) return await new Promise<never>(() => {});
    const failing = this.#failing;
    if (failing === undefined) return await call();
    const isHere = this.calls.length === failing.step;
    this.calls.push(name);
    if (!isHere) return await call();
    if (failing.failure === "crash after" || (failing.failure === "after" && !isAtomic)) await call();
    if (!failing.failure.startsWith("crash")) throw failing.error;
    this.#crashed = true;
    this.#onCrash();
    return await new Promise<never>(() => {});
  }
}
