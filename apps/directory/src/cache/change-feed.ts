import type { Records } from "../accounts/stores.ts";
import { type Announcement, Announcements } from "./announcements.ts";

/**
 * The changes that caches must follow: those that other services on the database announce, and those made through
 * `records`, which are published here before the request that made them is answered.
 */
export class ChangeFeed {
  /** The records; every change through them is published to this feed. */
  readonly records: Records;
  readonly #changes = new Announcements();
  readonly #isLive: () => boolean;

  /**
   * @param announcements what the database announces.
   * @param isLive whether every change committed more than a second ago has been announced.
   */
  constructor(records: Records, announcements: Announcements, isLive: () => boolean) {
    this.#isLive = isLive;
    announcements.subscribe((announcement) => this.#changes.publish(announcement));
    this.records = {
      ...records,
      change: async (actor, work) => {
        try {
          return await records.change(actor, work);
        } finally {
          this.#changes.publish({ all: true });
        }
      },
    };
  }

  /** Whether every change committed more than a second ago has been published. */
  isLive(): boolean {
    return this.#isLive();
  }

  subscribe(listener: (announcement: Announcement) => void): void {
    this.#changes.subscribe(listener);
  }
}
