import type { ContainerId } from "../../../engine/ids.ts";
import { answerWithin } from "../client/connection.ts";
import type { Patience } from "../client/patience.ts";
import { throughRestarts } from "./waits.ts";

/** How long a failed start waits until its task is gone. */
const SETTLED_WITHIN_MS = 15_000;

/**
 * Discards the tasks of starts that failed. containerd may be away at that moment, and know the task when it is back; so each is tried
 * until it succeeds.
 */
export class Discards {
  readonly #discard: (id: ContainerId) => Promise<void>;
  readonly #signal: AbortSignal;
  readonly #patience: Patience;
  readonly #pending = new Map<ContainerId, Promise<void>>();

  /** @param discard ends and deletes the task of that id, if there is one */
  constructor(discard: (id: ContainerId) => Promise<void>, signal: AbortSignal, patience: Patience) {
    this.#discard = discard;
    this.#signal = signal;
    this.#patience = patience;
  }

  /** Joins a discard that is under way. Settles when the task is gone, or after a while, and then it goes on in the background. Never rejects. */
  async begin(id: ContainerId): Promise<void> {
    const discarding = this.#pending.get(id) ?? this.#discardOnce(id);
    this.#pending.set(id, discarding);
    await answerWithin(discarding, "Delete", this.#patience(SETTLED_WITHIN_MS)).catch(() => {});
  }

  #discardOnce(id: ContainerId): Promise<void> {
    return throughRestarts(() => this.#discard(id), this.#signal)
      .catch(() => {})
      .finally(() => this.#pending.delete(id));
  }

  /** The discard under way, if there is one. Never rejects. */
  get(id: ContainerId): Promise<void> | undefined {
    return this.#pending.get(id);
  }
}
