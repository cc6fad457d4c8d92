import { EngineError } from "../engine/errors.ts";

/**
 * The directory forgets a host that it has not heard of for 30 seconds. An answer comes within 15 seconds of its request, and this lease
 * ends 15 seconds after the answer: nobody gets into a place of the fleet that was given up for lost.
 */
const LEASE_MS = 15_000;

/** Whether the fleet stands by its places on this host, by a clock that only goes forward. */
export class Lease {
  readonly #now: () => number;
  #until = Number.NEGATIVE_INFINITY;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  renew(): void {
    this.#until = this.#now() + LEASE_MS;
  }

  holds(): boolean {
    return this.#now() < this.#until;
  }

  /** Throws `unavailable` where it does not hold, and so nobody may enter that place. */
  assertHolds(place: string): void {
    if (this.holds()) return;
    throw new EngineError(
      "unavailable",
      `place ${place} is the fleet's, and this host hears nothing from the fleet's directory: try again in a moment`,
    );
  }
}
