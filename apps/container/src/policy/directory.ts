import { createHash } from "node:crypto";
import { bearerOf, type DirectoryClient, DirectoryUnavailable, sharersOf } from "@berth/directory-client";
import { type EffectiveConstraints, parseLogin, type Subject } from "@berth/directory-domain";
import type { Actor, SharersOf } from "../engine/actor.ts";
import { EngineError } from "../engine/errors.ts";
import { DIRECTORY_ANSWERS } from "../engine/telemetry.ts";

/** Looks up the user of a token; undefined if the token is unknown. Throws `unavailable` if the directory does not answer. */
export type WhoseToken = (token: string) => Promise<Actor | undefined>;

/** Looks up the user with a login. Throws `forbidden` without an active user, `unavailable` if the directory does not answer. */
export type WhoseLogin = (login: string) => Promise<Actor>;

/** Looks up the user with an id as `Context.askOwner` describes it. */
export type AskOwner = (id: string) => Promise<Actor | undefined>;

/** The look-ups that identify the sender of a request. */
export interface Directory {
  readonly whoseToken: WhoseToken;
  readonly whoseLogin: WhoseLogin;
}

/** How long an answer of the directory is cached. Open streams end within a second of a change, so it is well below that. */
export const FRESH_FOR_MS = 500;
const MOST_KEPT = 10_000;

/** Which of some users a shared quota binds, by their ids. */
type Sharers = (constraint: number, userIds: readonly number[]) => Promise<readonly number[]>;

function actorOf({ id, login, role }: Subject, effective: EffectiveConstraints, sharers: Sharers): Actor {
  if (role === "admin") return { kind: "administrator", id: String(id), login };
  const sharersOf: SharersOf = async (constraint, owners) =>
    new Set((await orUnavailable(sharers(constraint, owners.map(Number)))).map(String));
  return { kind: "user", id: String(id), login, effective, sharersOf };
}

/** Fails closed: without an answer of the directory nobody is let in. */
async function orUnavailable<Answer>(asking: Promise<Answer>): Promise<Answer> {
  const begun = performance.now();
  let outcome: "answer" | "none" = "none";
  try {
    const answer = await asking;
    outcome = "answer";
    return answer;
  } catch (cause) {
    if (!(cause instanceof DirectoryUnavailable)) throw cause;
    const message = "the directory cannot be reached, so nobody can be let in: try again later";
    throw new EngineError("unavailable", message, { cause });
  } finally {
    DIRECTORY_ANSWERS.tell(() => ({ outcome, seconds: (performance.now() - begun) / 1_000 }));
  }
}

/** Looks up tokens and their constraints in the directory at `url`, and caches the answer for half a second. */
export function createWhoseToken(url: string, now: () => number = () => performance.now()): WhoseToken {
  const known = new Map<string, { readonly until: number; readonly actor: Promise<Actor | undefined> }>();

  const ask = async (token: string): Promise<Actor | undefined> => {
    const bearer = await orUnavailable(bearerOf({ url }, token));
    if (bearer === undefined || !bearer.caller.active) return undefined;
    if (bearer.effective === undefined || !bearer.caller.scopes.includes("engine"))
      throw new EngineError("forbidden", "this token lacks the scope engine; use a token with that scope");
    return actorOf(bearer.caller, bearer.effective, (...asked) => sharersOf({ url }, token, ...asked));
  };

  return (token) => {
    // The cache never holds the token itself.
    const key = createHash("sha256").update(token).digest("base64");
    const time = now();
    const remembered = known.get(key);
    if (remembered && remembered.until > time) return remembered.actor;
    if (known.size >= MOST_KEPT) known.clear();
    const actor = ask(token);
    known.set(key, { until: time + FRESH_FOR_MS, actor });
    actor.catch(() => known.delete(key));
    return actor;
  };
}

/** Looks up the user with an id and its constraints. The client decides about caching. */
export function createAskOwner(directory: Pick<DirectoryClient, "effective" | "sharersOf">): AskOwner {
  return async (id) => {
    const effective = await orUnavailable(directory.effective(Number(id)));
    if (effective === undefined) throw new EngineError("forbidden", "the directory has no such user any more");
    if (!effective.subject.active)
      throw new EngineError("forbidden", `the user ${effective.subject.login} is disabled in the directory`);
    return actorOf(effective.subject, effective, directory.sharersOf);
  };
}

/** Looks up the user with a login and its constraints. The client decides about caching. */
export function createWhoseLogin(
  directory: Pick<DirectoryClient, "userByLogin" | "effective" | "sharersOf">,
): WhoseLogin {
  return async (text) => {
    const login = parseLogin(text);
    if (!login.ok)
      throw new EngineError("forbidden", `${JSON.stringify(text.slice(0, 100))} is no login: it ${login.error}`);
    const user = await orUnavailable(directory.userByLogin(login.value));
    const effective = user && (await orUnavailable(directory.effective(user.id)));
    if (effective === undefined)
      throw new EngineError("forbidden", `the directory has no user ${login.value}: an administrator may add it`);
    if (!effective.subject.active)
      throw new EngineError("forbidden", `the user ${login.value} is disabled in the directory`);
    return actorOf(effective.subject, effective, directory.sharersOf);
  };
}
