import { type EffectiveConstraints, effectiveConstraints } from "@berth/directory-domain";
import { LRUCache } from "lru-cache";
import type { Deps } from "../accounts/deps.ts";
import { notFound } from "../errors/directory-error.ts";
import type { ChangeFeed } from "./change-feed.ts";

// Bounds staleness while the change feed is down.
const MAX_AGE_MS = 1_000;
// A few hundred megabytes at most, however the constraints are spread over users.
const MAX_CONSTRAINTS = 200_000;

/** A user's effective constraints, with a version that caches can compare. */
export interface Effective {
  readonly effective: EffectiveConstraints;
  readonly version: string;
}

/** Resolves a user's effective constraints; throws `not-found` for an unknown user. */
export type EffectiveOf = (userId: number) => Promise<Effective>;

interface Entry extends Effective {
  /** When the first of its constraints expires. */
  readonly until: number;
  /** When its version was last compared with the database, and how many changes had been published by then. */
  checkedAt: number;
  checkedChanges: number;
}

/**
 * Caches effective constraints per user and returns the same object while nothing changes. After a published change, or
 * after a second without a live feed, the entry's version is compared with the database first: that reads one row, where
 * reading the constraints again reads one row for each.
 */
export class EffectiveCache {
  readonly #baseline: Deps["baseline"];
  readonly #now: () => Date;
  readonly #changes: ChangeFeed;
  readonly #entries = new LRUCache<number, Entry>({
    maxSize: MAX_CONSTRAINTS,
    sizeCalculation: ({ effective }) => 1 + effective.constraints.length + effective.unreadable.length,
  });
  #published = 0;

  constructor({ baseline, now }: Pick<Deps, "baseline" | "now">, changes: ChangeFeed) {
    this.#baseline = baseline;
    this.#now = now;
    this.#changes = changes;
    changes.subscribe(() => {
      this.#published++;
    });
  }

  /** @throws `not-found` for an unknown user. */
  async effectiveOf(userId: number): Promise<Effective> {
    const now = this.#now();
    const cached = this.#entries.get(userId);
    if (cached !== undefined && (await this.#isCurrent(cached, userId, now.getTime()))) return cached;
    const checkedChanges = this.#published;
    const read = await this.#changes.records.policy.effective(userId);
    if (read === undefined) {
      this.#entries.delete(userId);
      throw notFound("user", userId);
    }
    const { version, ...owned } = read;
    const effective = effectiveConstraints({ ...owned, baseline: this.#baseline, at: now.toISOString() });
    const entry = { effective, version, until: firstExpiryOf(effective), checkedAt: now.getTime(), checkedChanges };
    this.#entries.set(userId, entry);
    return entry;
  }

  /** Whether an entry still holds. A change published during the comparison is compared by the next call. */
  async #isCurrent(entry: Entry, userId: number, now: number): Promise<boolean> {
    // The clock was set back: constraints that had expired may hold again.
    if (now < entry.checkedAt || now >= entry.until) return false;
    const isFresh = this.#changes.isLive() || now - entry.checkedAt < MAX_AGE_MS;
    if (entry.checkedChanges === this.#published && isFresh) return true;
    const checkedChanges = this.#published;
    if ((await this.#changes.records.policy.version(userId)) !== entry.version) return false;
    entry.checkedAt = now;
    entry.checkedChanges = checkedChanges;
    return true;
  }
}

function firstExpiryOf({ constraints }: EffectiveConstraints): number {
  return constraints.reduce(
    (first, { expiresAt }) => (expiresAt === null ? first : Math.min(first, Date.parse(expiresAt))),
    Number.POSITIVE_INFINITY,
  );
}
