/**
 * What changed that may alter decisions: one user, all members of one group, or, after a gap in which changes may have
 * been missed, everyone.
 */
export type Announcement = { readonly user: number } | { readonly group: number } | { readonly all: true };

/** Hands announcements on to whoever listens now. */
export interface Announcements {
  subscribe(listener: (announcement: Announcement) => void): () => void;
  publish(announcement: Announcement): void;
}

export function createAnnouncements(): Announcements {
  const listeners = new Set<(announcement: Announcement) => void>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    publish(announcement) {
      for (const listener of listeners) listener(announcement);
    },
  };
}

/** Reads the database's payload; one that can't be read stands for everyone, since it stands for some change. */
export function parseAnnouncement(payload: string): Announcement {
  try {
    const { user, group } = JSON.parse(payload) as { user?: unknown; group?: unknown };
    if (typeof user === "number") return { user };
    if (typeof group === "number") return { group };
  } catch {
    // Falls through to everyone.
  }
  return { all: true };
}
