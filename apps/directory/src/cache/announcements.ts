/** A change that may alter decisions: about one user, all members of one group, or, after a gap in the feed, everyone. */
export type Announcement = { readonly user: number } | { readonly group: number } | { readonly all: true };

type Listener = (announcement: Announcement) => void;

/** Delivers each announcement to every current subscriber. */
export class Announcements {
  readonly #listeners = new Set<Listener>();

  /** @returns a function that unsubscribes. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  publish(announcement: Announcement): void {
    for (const listener of this.#listeners) listener(announcement);
  }
}

/** Parses a database notification; an unreadable one still signals some change, so it means everyone. */
export function parseAnnouncement(payload: string): Announcement {
  try {
    const { user, group } = JSON.parse(payload) as { user?: unknown; group?: unknown };
    if (typeof user === "number") return { user };
    if (typeof group === "number") return { group };
  } catch {
    // Not JSON: treat as everyone.
  }
  return { all: true };
}
