import type { DecidedContainer } from "./facts.ts";

/** Something beside containers, such as a running build, that counts against its owner's quotas as a container does. */
export interface HeldQuota extends DecidedContainer {
  readonly owner: string;
}

/** What counts against quotas beside containers, while it does. */
export class HeldQuotas {
  readonly #held = new Map<string, HeldQuota>();

  /** Counts from now on. Hold the owner's quotas meanwhile (`holdQuotas`), so that the decision still stands. */
  hold(id: string, quota: HeldQuota): void {
    this.#held.set(id, quota);
  }

  /** Idempotent. */
  release(id: string): void {
    this.#held.delete(id);
  }

  all(): readonly HeldQuota[] {
    return [...this.#held.values()];
  }
}
