import { type EffectiveConstraints, effectiveConstraints, type Subject } from "@berth/directory-domain";
import { sharersOf } from "./bearer.ts";
import { Cache } from "./cache.ts";
import { followChanges } from "./change-feed.ts";
import { type Caller, list, parseCaller, parseEffective, parseSubject, readable, record } from "./parse.ts";
import { DirectoryUnavailable, getJson } from "./request.ts";

export interface DirectoryClientOptions {
  /** The directory's address, as in `http://127.0.0.1:7780`. */
  readonly url: string;
  /** A token of an operator or administrator with the scope `read`. */
  readonly token: string;
  /** Milliseconds for which an answer is cached while the change feed is live; 30,000 by default. */
  readonly ttl?: number;
  /** Milliseconds for which an answer is used when the directory does not answer; 60,000 by default. */
  readonly maxStale?: number;
  /** Milliseconds for one attempt of a request; 500 by default. */
  readonly timeout?: number;
  readonly fetch?: typeof fetch;
  /** Milliseconds of a clock that only goes forward. */
  readonly monotonic?: () => number;
}

export interface DirectoryClient {
  /** The owner of a bearer token; undefined when the token opens nothing. Never cached. Throws `DirectoryUnavailable`. */
  callerOf(token: string): Promise<Caller | undefined>;
  /** The user with a login; undefined when there is none. Cached, and throws, as `effective` does. */
  userByLogin(login: string): Promise<Subject | undefined>;
  /**
   * The effective constraints of a user now; undefined when there is no such user. Throws `DirectoryUnavailable` when the directory does
   * not answer and the cached answer is too old: the caller must then refuse.
   */
  effective(userId: number): Promise<EffectiveConstraints | undefined>;
  /** Which of some users a shared quota binds. Never cached. Throws `DirectoryUnavailable`. */
  sharersOf(constraintId: number, userIds: readonly number[]): Promise<readonly number[]>;
  close(): Promise<void>;
}

// Without a live change feed nothing is cached for longer, so that no decision outlives a change by more than a second.
const TTL_WITHOUT_FEED_MS = 1_000;

/** Connects to a directory and follows its changes until closed. */
export function createDirectoryClient(options: DirectoryClientOptions): DirectoryClient {
  const { token, ttl = 30_000, maxStale = 60_000, monotonic = () => performance.now() } = options;
  const connection = { url: options.url, fetch: options.fetch ?? fetch, timeout: options.timeout ?? 500 };
  let isLive = false;
  const ages = {
    freshFor: () => (isLive ? ttl : Math.min(ttl, TTL_WITHOUT_FEED_MS)),
    staleFor: maxStale,
    monotonic,
  };

  const effective = new Cache({
    ...ages,
    async load(userId: number): Promise<EffectiveConstraints | undefined> {
      const answer = await getJson(connection, `/api/users/${userId}/effective-constraints`, token);
      if (answer.ok) return readable(() => parseEffective(answer.body).effective);
      // A refusal of the client's own token says nothing about the user.
      if (answer.status === 401) throw new DirectoryUnavailable("it refuses the client's token");
      return undefined;
    },
  });
  const users = new Cache({
    ...ages,
    async load(login: string): Promise<Subject | undefined> {
      const answer = await getJson(connection, `/api/users?limit=1&login=${encodeURIComponent(login)}`, token);
      if (!answer.ok) throw new DirectoryUnavailable("it refuses the client's token");
      return readable(() => {
        const [user] = list(answer.body);
        return user === undefined ? undefined : parseSubject(record(user));
      });
    },
  });

  const feed = followChanges(connection, token, {
    changed(userId) {
      effective.outdate(userId);
      // A user that changed may have had any login before, or none.
      users.outdate();
    },
    connected({ isConnected }) {
      isLive = isConnected;
    },
  });

  return {
    async effective(userId) {
      const cached = await effective.get(userId);
      // Constraints expire while they are cached.
      return cached && effectiveConstraints({ ...cached, at: new Date().toISOString() });
    },
    async callerOf(callersToken) {
      const answer = await getJson(connection, "/api/me", callersToken);
      return answer.ok ? readable(() => parseCaller(answer.body)) : undefined;
    },
    userByLogin: (login) => users.get(login),
    sharersOf: (constraintId, userIds) => sharersOf(connection, token, constraintId, userIds),
    close: () => feed.stop(),
  };
}
