/** Counts what each sender has open, up to a limit for each. */
export class LimitBySender {
  readonly #max: number;
  readonly #open = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** False, and nothing is counted, if the sender has the most that it may have. */
  add(sender: string): boolean {
    const count = this.#open.get(sender) ?? 0;
    if (count >= this.#max) return false;
    this.#open.set(sender, count + 1);
    return true;
  }

  remove(sender: string): void {
    const count = this.#open.get(sender) ?? 0;
    if (count > 1) this.#open.set(sender, count - 1);
    else this.#open.delete(sender);
  }
}
