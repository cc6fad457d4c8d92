import { type Announcement, type Announcements, createAnnouncements } from "./announcements.ts";
import type { Records } from "./stores.ts";

/** What may have changed, as one service hears of it. */
export interface Changes {
  /** Whether every change that was committed more than a second ago has been heard of. */
  isHearing(): boolean;
  subscribe(listener: (announcement: Announcement) => void): void;
  /** The records, through which a change is heard of before it is answered. */
  readonly records: Records;
}

/** Changes that others announce, and those that are made here: of these it is heard at once, and as of all that there is. */
export function createChangeFeed(records: Records, announcements: Announcements, isHearing: () => boolean): Changes {
  const heard = createAnnouncements();
  announcements.subscribe(heard.publish);
  return {
    isHearing,
    subscribe: (listener) => void heard.subscribe(listener),
    records: {
      ...records,
      async change(actor, work) {
        try {
          return await records.change(actor, work);
        } finally {
          heard.publish({ all: true });
        }
      },
    },
  };
}
