/** How the service ends: `close` leaves containers running, `teardown` takes every trace off the host. */
export type Ending = "close" | "teardown";

type Release<T> = (resource: T) => Promise<void> | void;

/** What has been opened so far, with the way to release each. */
export class Opened {
  readonly #releases: Readonly<Record<Ending, () => Promise<void> | void>>[] = [];

  /**
   * Registers `resource` for release in the line that opens it, and returns it.
   *
   * @param release runs at both endings, or one function for each.
   */
  keep<T>(resource: T, release: Release<T> | Readonly<Record<Ending, Release<T>>>): T {
    const { close, teardown } = typeof release === "function" ? { close: release, teardown: release } : release;
    this.#releases.push({ close: () => close(resource), teardown: () => teardown(resource) });
    return resource;
  }

  /** Releases everything, last opened first. Stops at the first release that fails. */
  async end(how: Ending): Promise<void> {
    for (let last = this.#releases.pop(); last !== undefined; last = this.#releases.pop()) await last[how]();
  }
}
