import { createHash } from "node:crypto";
import type { Changes } from "./change-feed.ts";
import type { Deps } from "./deps.ts";
import type { Actor } from "./records.ts";
import { actorByLogin } from "./sign-in.ts";
import { actorOf, hasExpired } from "./tokens.ts";

// What no announcement tells of, as while the database can't be heard, is known within this time all the same.
const KNOWN_MS = 1_000;
const MOST_KNOWN = 10_000;

interface Known {
  readonly actor: Actor;
  readonly expiresAt: string | null;
  readonly at: number;
}

export interface ActorCache {
  /** Who a bearer token belongs to, or undefined when it opens nothing. */
  actorOf(token: string): Promise<Actor | undefined>;
  /** Who the active user with a login is, or undefined when there is none. */
  actorByLogin(login: string): Promise<Actor | undefined>;
}

/**
 * Keeps whose a token is for at most a second, and no longer than until the next change of a user or a token, whether it
 * is made here or announced by another service on the same database.
 */
export function createActorCache({ now: clock }: Pick<Deps, "now">, { records, subscribe }: Changes): ActorCache {
  let known = new Map<string, Known>();
  subscribe((announcement) => {
    // What groups are allowed has no part in who somebody is.
    if (!("group" in announcement)) known = new Map();
  });
  return {
    async actorOf(token) {
      const key = createHash("sha256").update(token).digest("base64");
      const now = clock();
      const one = known.get(key);
      if (one !== undefined && isFresh(one, now)) return hasExpired(one.expiresAt, now) ? undefined : one.actor;
      // A look-up that was overtaken by a change is kept in a map that nobody reads any more.
      const before = known;
      const found = await actorOf({ records, now: clock }, token);
      if (before.size >= MOST_KNOWN) before.clear();
      if (found === undefined) before.delete(key);
      else before.set(key, { ...found, at: now.getTime() });
      return found?.actor;
    },
    actorByLogin: (login) => actorByLogin({ records }, login),
  };
}

/** Neither older than a second nor, after the clock was set back, from the future. */
function isFresh(one: Known, now: Date): boolean {
  const age = now.getTime() - one.at;
  return age >= 0 && age < KNOWN_MS;
}
