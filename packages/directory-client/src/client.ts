import { type EffectiveConstraints, effectiveConstraints, type Subject } from "@berth/directory-domain";
import { follow } from "./follow.ts";
import { type Caller, list, parseCaller, parseEffective, parseSubject, readable, record } from "./parse.ts";
import { type Connection, DirectoryUnavailable, getJson, statusOf } from "./request.ts";

export interface DirectoryClientOptions {
  /** The directory's address, as in `http://127.0.0.1:7780`. */
  readonly url: string;
  /** A token of an operator or administrator with the scopes `read` and `engine`. */
  readonly token: string;
  /** Milliseconds an entry is used for while changes are heard of; 30,000 unless given. */
  readonly ttl?: number;
  /** Milliseconds an entry is used for when the directory does not answer; 60,000 unless given. */
  readonly maxStale?: number;
  /** Milliseconds for one try of a request; 500 unless given. */
  readonly timeout?: number;
  readonly fetch?: typeof fetch;
  /** Milliseconds of a clock that only goes forward. */
  readonly monotonic?: () => number;
}

export interface DirectoryClient {
  /** Who a bearer token belongs to; undefined when it opens nothing. Throws `DirectoryUnavailable`. */
  callerOf(token: string): Promise<Caller | undefined>;
  /** The user with a login, as a certificate or a socket names it; undefined when there is none. Throws `DirectoryUnavailable`. */
  userByLogin(login: string): Promise<Subject | undefined>;
  /**
   * What holds for a user now; undefined when there is no such user. Throws `DirectoryUnavailable` when the directory
   * does not answer and what is known is too old: whoever asks then refuses.
   */
  effective(userId: number): Promise<EffectiveConstraints | undefined>;
  close(): Promise<void>;
}

// While changes are not heard of, an entry is this old at most: no decision outlives a change by more than a second.
const TTL_UNHEARD_MS = 1_000;
const MAX_ENTRIES = 10_000;

interface Entry {
  readonly value: EffectiveConstraints | undefined;
  readonly at: number;
  stale: boolean;
}

/** Connects to a directory and follows its changes until closed. */
export function createDirectoryClient(options: DirectoryClientOptions): DirectoryClient {
  const { ttl = 30_000, maxStale = 60_000, monotonic = () => performance.now() } = options;
  const connection: Connection = { url: options.url, fetch: options.fetch ?? fetch, timeout: options.timeout ?? 500 };
  const entries = new Map<number, Entry>();
  const asked = new Map<number, Promise<EffectiveConstraints | undefined>>();
  let isHeard = false;
  // Grows with every change: an answer that was asked for before one is not kept after it.
  let changes = 0;

  const following = follow(connection, options.token, {
    changed(userId) {
      changes++;
      asked.clear();
      const concerned = userId === undefined ? [...entries.values()] : [entries.get(userId)];
      for (const entry of concerned) if (entry) entry.stale = true;
    },
    connected({ isConnected }) {
      isHeard = isConnected;
    },
  });

  async function ask(userId: number): Promise<EffectiveConstraints | undefined> {
    const [asOf, at] = [changes, monotonic()];
    const answer = await getJson(connection, `/api/users/${userId}/effective-constraints`, options.token);
    const status = statusOf(answer);
    // Our own token is refused: that says nothing about the user.
    if (status === 401) throw new DirectoryUnavailable("it refuses our token");
    const value = status === 404 ? undefined : readable(() => parseEffective(answer).effective);
    entries.delete(userId);
    entries.set(userId, { value, at, stale: asOf !== changes });
    const [oldest] = entries.keys();
    if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest);
    return value;
  }

  /** Callers that ask for one user at the same time share one request. */
  function askOnce(userId: number): Promise<EffectiveConstraints | undefined> {
    const underWay = asked.get(userId);
    if (underWay !== undefined) return underWay;
    const asking = ask(userId).finally(() => {
      if (asked.get(userId) === asking) asked.delete(userId);
    });
    asked.set(userId, asking);
    return asking;
  }

  async function effective(userId: number): Promise<EffectiveConstraints | undefined> {
    const known = entries.get(userId);
    const age = known === undefined ? Number.POSITIVE_INFINITY : monotonic() - known.at;
    if (known !== undefined && !known.stale && age <= (isHeard ? ttl : TTL_UNHEARD_MS)) return known.value;
    try {
      return await askOnce(userId);
    } catch (fault) {
      // A change that was heard of makes the entry worthless at once, however young it is.
      if (fault instanceof DirectoryUnavailable && known !== undefined && !known.stale && age <= maxStale)
        return known.value;
      throw fault;
    }
  }

  return {
    async effective(userId) {
      const known = await effective(userId);
      // Constraints expire while they are kept.
      return known && effectiveConstraints({ ...known, at: new Date().toISOString() });
    },
    async callerOf(token) {
      const answer = await getJson(connection, "/api/me", token);
      return statusOf(answer) === undefined ? readable(() => parseCaller(answer)) : undefined;
    },
    async userByLogin(login) {
      const answer = await getJson(connection, `/api/users?limit=1&login=${encodeURIComponent(login)}`, options.token);
      if (statusOf(answer) !== undefined) throw new DirectoryUnavailable("it refuses our token");
      return readable(() => {
        const [user] = list(answer);
        return user === undefined ? undefined : parseSubject(record(user));
      });
    },
    close: () => following.stop(),
  };
}
