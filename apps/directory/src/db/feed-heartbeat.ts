import { randomUUID } from "node:crypto";

const BEAT_MS = 300;
const LIVE_MS = 1_000;

/**
 * Proves that this service receives the announcements of its database. It sends beats through their channel; Postgres
 * delivers notifications in commit order, so a beat that returns proves that every earlier change has been received.
 */
export class FeedHeartbeat {
  readonly #id = randomUUID();
  readonly #send: (payload: string) => Promise<unknown>;
  readonly #timer: NodeJS.Timeout;
  #liveUntil = Number.NEGATIVE_INFINITY;
  #isSending = false;

  /** @param send notifies the channel. */
  constructor(send: (payload: string) => Promise<unknown>) {
    this.#send = send;
    this.#timer = setInterval(() => void this.#beat(), BEAT_MS);
    void this.#beat();
  }

  /** Consumes a beat, of any service; returns false for an announcement. */
  receive(payload: string): boolean {
    if (!payload.startsWith('{"beat":')) return false;
    const { beat, at } = JSON.parse(payload) as { readonly beat: string; readonly at: number };
    if (beat === this.#id) this.#liveUntil = at;
    return true;
  }

  /** Records that announcements may have been missed: the feed is not live until the next beat. */
  reset(): void {
    this.#liveUntil = Number.NEGATIVE_INFINITY;
  }

  /** Whether every change committed more than a second ago has been received. */
  isLive(): boolean {
    return performance.now() - this.#liveUntil < LIVE_MS;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #beat(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    // A beat that cannot be sent does not return, which is what `isLive` reports.
    await this.#send(JSON.stringify({ beat: this.#id, at: performance.now() })).catch(() => {});
    this.#isSending = false;
  }
}
