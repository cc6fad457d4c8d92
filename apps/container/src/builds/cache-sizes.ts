/** What each owner's build cache takes of the disk, in bytes, as last measured. */
export class CacheSizes {
  readonly #sizes = new Map<string, number>();

  of(owner: string): number {
    return this.#sizes.get(owner) ?? 0;
  }

  set(owner: string, bytes: number): void {
    this.#sizes.set(owner, bytes);
  }
}
