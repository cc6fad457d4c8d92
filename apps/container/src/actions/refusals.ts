import type { Action, ActionSink } from "../engine/action.ts";
import { userOf } from "../engine/owners.ts";

const HOUR_MS = 3_600_000;
const HOURS = 24;
/** Bounds the memory: strangers can make up any number of logins, but users are counted by their ids. */
const MOST_USERS = 2_000;

/** What one user was refused in the last day. */
export interface RefusedUser {
  /** The directory's id; undefined for strangers and for the host's administrators. */
  readonly user: string | undefined;
  readonly count: number;
  /** The latest one. */
  readonly at: string;
  readonly action: string;
  readonly reason: string;
}

interface Counted {
  /** By hour since the epoch. */
  readonly hours: Map<number, number>;
  last: Pick<RefusedUser, "at" | "action" | "reason">;
}

/** Counts what was refused in the last 24 hours, by user, since this service started. */
export class Refusals implements ActionSink {
  readonly #since: number;
  readonly #now: () => number;
  readonly #users = new Map<string, Counted>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#since = now();
  }

  record({ outcome, actor, owner, via, action, reason }: Action): void {
    if (outcome !== "refused") return;
    // What the service refuses of itself, such as a restart, is the owner's.
    const who = actor ?? (via === "service" ? owner : undefined);
    const key = (who && userOf(who)) ?? "";
    const now = this.#now();
    const hours = this.#users.get(key)?.hours ?? new Map<number, number>();
    const hour = Math.floor(now / HOUR_MS);
    hours.set(hour, (hours.get(hour) ?? 0) + 1);
    // The latest is the last one, so that the one to forget is the first.
    this.#users.delete(key);
    this.#users.set(key, { hours, last: { at: new Date(now).toISOString(), action, reason: reason ?? "" } });
    const [oldest] = this.#users.keys();
    if (this.#users.size > MOST_USERS && oldest !== undefined) this.#users.delete(oldest);
  }

  /** From when on they are counted: a day ago, or the start of the service. */
  get since(): string {
    return new Date(Math.max(this.#since, this.#now() - HOURS * HOUR_MS)).toISOString();
  }

  /** Those who were refused anything, the latest first. */
  list(): readonly RefusedUser[] {
    const first = Math.floor(this.#now() / HOUR_MS) - HOURS + 1;
    for (const [key, { hours }] of this.#users) {
      for (const hour of hours.keys()) if (hour < first) hours.delete(hour);
      if (hours.size === 0) this.#users.delete(key);
    }
    const users = [...this.#users].map(([key, { hours, last }]) => ({
      user: key === "" ? undefined : key,
      count: [...hours.values()].reduce((sum, count) => sum + count, 0),
      ...last,
    }));
    return users.reverse();
  }
}
