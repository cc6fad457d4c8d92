import { type EffectiveConstraints, effectiveConstraints, type Subject } from "@berth/directory-domain";
import { follow } from "./follow.ts";
import { keep } from "./kept.ts";
import { type Caller, list, parseCaller, parseEffective, parseSubject, readable, record } from "./parse.ts";
import { DirectoryUnavailable, getJson } from "./request.ts";

export interface DirectoryClientOptions {
  /** The directory's address, as in `http://127.0.0.1:7780`. */
  readonly url: string;
  /** A token of an operator or administrator with the scope `read`. */
  readonly token: string;
  /** Milliseconds an answer is used for while changes are heard of; 30,000 unless given. */
  readonly ttl?: number;
  /** Milliseconds an answer is used for when the directory does not answer; 60,000 unless given. */
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
  /**
   * The user with a login, as a certificate or a socket names it; undefined when there is none. Kept as `effective` is, and throws
   * as it does.
   */
  userByLogin(login: string): Promise<Subject | undefined>;
  /**
   * What holds for a user now; undefined when there is no such user. Throws `DirectoryUnavailable` when the directory
   * does not answer and what is known is too old: whoever asks then refuses.
   */
  effective(userId: number): Promise<EffectiveConstraints | undefined>;
  close(): Promise<void>;
}

// While changes are not heard of, what is known is this old at most: no decision outlives a change by more than a second.
const TTL_UNHEARD_MS = 1_000;

/** Connects to a directory and follows its changes until closed. */
export function createDirectoryClient(options: DirectoryClientOptions): DirectoryClient {
  const { ttl = 30_000, maxStale = 60_000, monotonic = () => performance.now() } = options;
  const connection = { url: options.url, fetch: options.fetch ?? fetch, timeout: options.timeout ?? 500 };
  let isHeard = false;
  const age = {
    freshFor: () => (isHeard ? ttl : Math.min(ttl, TTL_UNHEARD_MS)),
    staleFor: maxStale,
    monotonic,
  };

  const effective = keep({
    ...age,
    async ask(userId: number): Promise<EffectiveConstraints | undefined> {
      const answer = await getJson(connection, `/api/users/${userId}/effective-constraints`, options.token);
      if (answer.ok) return readable(() => parseEffective(answer.body).effective);
      // A refusal of the client's own token says nothing about the user.
      if (answer.status === 401) throw new DirectoryUnavailable("it refuses the client's token");
      return undefined;
    },
  });
  const users = keep({
    ...age,
    async ask(login: string): Promise<Subject | undefined> {
      const answer = await getJson(connection, `/api/users?limit=1&login=${encodeURIComponent(login)}`, options.token);
      if (!answer.ok) throw new DirectoryUnavailable("it refuses the client's token");
      return readable(() => {
        const [user] = list(answer.body);
        return user === undefined ? undefined : parseSubject(record(user));
      });
    },
  });

  const following = follow(connection, options.token, {
    changed(userId) {
      effective.outdate(userId);
      // A user that changed may have had any login before, or none.
      users.outdate();
    },
    connected({ isConnected }) {
      isHeard = isConnected;
    },
  });

  return {
    async effective(userId) {
      const known = await effective.get(userId);
      // Constraints expire while they are kept.
      return known && effectiveConstraints({ ...known, at: new Date().toISOString() });
    },
    async callerOf(token) {
      const answer = await getJson(connection, "/api/me", token);
      return answer.ok ? readable(() => parseCaller(answer.body)) : undefined;
    },
    userByLogin: (login) => users.get(login),
    close: () => following.stop(),
  };
}
