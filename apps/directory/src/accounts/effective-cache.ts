import { type EffectiveConstraints, effectiveConstraints } from "@berth/directory-domain";
import { LRUCache } from "lru-cache";
import { notFound } from "../errors/directory-error.ts";
import type { Changes } from "./change-feed.ts";
import type { Deps } from "./deps.ts";

// While the database can't be heard, a change is known within this time all the same.
const KNOWN_MS = 1_000;
// Some hundred megabytes of constraints at most, however few or many each user has.
const MOST_CONSTRAINTS = 200_000;

/** What holds for a user, with the version that a cache may compare. */
export interface Effective {
  readonly effective: EffectiveConstraints;
  readonly version: string;
}

/** Asks what holds for a user now; throws `not-found` where there is no such user. */
export type EffectiveOf = (userId: number) => Promise<Effective>;

interface Known extends Effective {
  /** When the first of its constraints expires. */
  readonly until: number;
  /** When its version was last seen in the database, and how many changes had been heard of by then. */
  seenAt: number;
  seenChanges: number;
}

/**
 * Keeps what holds for whoever is asked for again, as the same object for as long as nothing changes. After each change that
 * is made here or announced by another service on the same database, and after a second in which nothing can be heard, its
 * version is asked for first: that costs a row where reading all anew costs a row for each constraint.
 */
export function createEffectiveCache(deps: Pick<Deps, "baseline" | "now">, changes: Changes): EffectiveOf {
  const { policy } = changes.records;
  const known = new LRUCache<number, Known>({
    maxSize: MOST_CONSTRAINTS,
    sizeCalculation: ({ effective }) => 1 + effective.constraints.length + effective.unreadable.length,
  });
  let heard = 0;
  changes.subscribe(() => {
    heard++;
  });

  /** Whether it holds still; a change that is made while this is asked is heard of and asked for by the next. */
  async function holdsStill(one: Known, userId: number, now: number): Promise<boolean> {
    // From before the clock was set back: what had expired may hold again.
    if (now < one.seenAt || now >= one.until) return false;
    if (one.seenChanges === heard && (changes.isHearing() || now - one.seenAt < KNOWN_MS)) return true;
    const seenChanges = heard;
    if ((await policy.version(userId)) !== one.version) return false;
    one.seenAt = now;
    one.seenChanges = seenChanges;
    return true;
  }

  return async (userId) => {
    const now = deps.now();
    const one = known.get(userId);
    if (one !== undefined && (await holdsStill(one, userId, now.getTime()))) return one;
    const seenChanges = heard;
    const read = await policy.effective(userId);
    if (read === undefined) {
      known.delete(userId);
      throw notFound("user", userId);
    }
    const { version, ...owned } = read;
    const effective = effectiveConstraints({ ...owned, baseline: deps.baseline, at: now.toISOString() });
    const fresh = { effective, version, until: firstExpiryOf(effective), seenAt: now.getTime(), seenChanges };
    known.set(userId, fresh);
    return fresh;
  };
}

function firstExpiryOf({ constraints }: EffectiveConstraints): number {
  return constraints.reduce(
    (first, { expiresAt }) => (expiresAt === null ? first : Math.min(first, Date.parse(expiresAt))),
    Number.POSITIVE_INFINITY,
  );
}
