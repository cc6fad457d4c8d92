import { createHash } from "node:crypto";
import { actorByLogin } from "../accounts/actor-by-login.ts";
import type { Deps } from "../accounts/deps.ts";
import type { Actor } from "../accounts/records.ts";
import { actorOf, hasExpired } from "../accounts/tokens.ts";
import type { ChangeFeed } from "./change-feed.ts";

// Bounds staleness where no announcement arrives: a deleted row, or a feed that is down.
const MAX_AGE_MS = 1_000;
const MAX_ENTRIES = 10_000;

interface Entry {
  readonly actor: Actor;
  readonly expiresAt: string | null;
  readonly at: number;
}

/** Resolves tokens and logins to actors. A token is cached for a second at most, and until the next change of a user. */
export class ActorCache {
  readonly #now: () => Date;
  readonly #records: ChangeFeed["records"];
  #entries = new Map<string, Entry>();

  constructor({ now }: Pick<Deps, "now">, changes: ChangeFeed) {
    this.#now = now;
    this.#records = changes.records;
    changes.subscribe((announcement) => {
      // Group changes never alter who a token belongs to.
      if (!("group" in announcement)) this.#entries = new Map();
    });
  }

  /** The owner of a bearer token; undefined for an unknown or expired token or an inactive owner. */
  async actorOf(token: string): Promise<Actor | undefined> {
    const key = createHash("sha256").update(token).digest("base64");
    const now = this.#now();
    const cached = this.#entries.get(key);
    if (cached !== undefined && isFresh(cached, now))
      return hasExpired(cached.expiresAt, now) ? undefined : cached.actor;
    // A change during the look-up replaces the map, so a stale result lands in one that nobody reads.
    const entries = this.#entries;
    const found = await actorOf({ records: this.#records, now: this.#now }, token);
    if (entries.size >= MAX_ENTRIES) entries.clear();
    if (found === undefined) entries.delete(key);
    else entries.set(key, { ...found, at: now.getTime() });
    return found?.actor;
  }

  /** The active user with a login, or undefined. */
  actorByLogin(login: string): Promise<Actor | undefined> {
    return actorByLogin({ records: this.#records }, login);
  }
}

/** At most a second old, and not from the future, as after the clock was set back. */
function isFresh(entry: Entry, now: Date): boolean {
  const age = now.getTime() - entry.at;
  return age >= 0 && age < MAX_AGE_MS;
}
