import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { fold, parseLogin } from "@berth/directory-domain";
import { DirectoryError } from "../errors/directory-error.ts";
import { validatePasswordLength } from "../passwords/rules.ts";
import type { Deps } from "./deps.ts";
import { type Actor, SCOPES, type UserRecord } from "./records.ts";
import type { Admission, Backoff } from "./sign-in-stores.ts";
import { type IssuedToken, issueToken } from "./tokens.ts";

const LONGEST_WAIT = 900;
/** One account from one address. */
const PAIR_BACKOFF: Backoff = { free: 5, longest: LONGEST_WAIT };
/** One account from all addresses (NIST SP 800-63B-4: at most 100 consecutive failures). */
const ACCOUNT_BACKOFF: Backoff = { free: 100, longest: LONGEST_WAIT };
/** All accounts from one address, which many people may share. */
const ADDRESS_BACKOFF: Backoff = { free: 50, longest: LONGEST_WAIT };
/** Everyone on this host and behind a proxy on it shares the loopback address, so it is counted but never waits. */
const UNLIMITED: Backoff = { free: 2 ** 31 - 1, longest: 0 };
export const SESSION_SECONDS = 12 * 3_600;

export interface SignIn {
  /** Login or e-mail. */
  readonly login: string;
  readonly pass: string;
  /** The connection's remote address. */
  readonly address: string;
}

/** The keys that failures of one attempt are counted under. */
interface Keys {
  readonly pair: string;
  readonly account: string;
  readonly address: string;
}

/**
 * Signs a user in and issues a session token for twelve hours. Unknown users, wrong passwords, disabled users and users
 * without a password get the same answer after the same work. Repeated failures wait, but never lock an account: an
 * account that has signed in from an address before only waits for failures of its own from there.
 * @throws `unauthenticated`, or `throttled` with the seconds to wait.
 */
export async function signIn(deps: Deps, input: SignIn): Promise<IssuedToken & { readonly user: UserRecord }> {
  if (validatePasswordLength(input.pass) !== undefined) throw refused();
  const keys = keysOf(input);
  const attempt = await admit(deps, keys, input.address);
  const found = await deps.records.users.forSignIn(input.login);
  const isRight = await deps.hasher.verify(found?.passHash ?? null, input.pass).catch(async (fault: unknown) => {
    // The queue was full: the password was not checked, so nothing failed.
    for (const key of [keys.pair, keys.account, keys.address]) await deps.records.failures.takeBack(key);
    throw fault;
  });
  if (!isRight || found === undefined || found.passHash === null || !found.user.active) {
    await report(deps, keys, input.address, found?.user, attempt);
    throw refused();
  }
  const { user, passHash } = found;
  const stronger = deps.hasher.needsRehash(passHash) ? await deps.hasher.hash(input.pass) : undefined;
  // Outside the transaction, since all sign-ins from one address contend for its row.
  await Promise.all([
    deps.records.failures.succeed(keys.pair, deps.now()),
    deps.records.failures.forget(keys.account),
    deps.records.failures.takeBack(keys.address),
  ]);
  return { ...(await openSession(deps, user, { verified: passHash, stronger })), user };
}

/** Issues the session, unless the user or its password has changed since the password was verified. */
function openSession(
  deps: Deps,
  user: UserRecord,
  hash: { readonly verified: string; readonly stronger: string | undefined },
): Promise<IssuedToken> {
  const expiresAt = new Date(deps.now().getTime() + SESSION_SECONDS * 1_000).toISOString();
  return deps.records.change(user.id, async (stores) => {
    const current = await stores.users.lockPassHash(user.id);
    if (current === undefined || !current.active || current.passHash !== hash.verified) throw refused();
    if (hash.stronger !== undefined) await stores.users.rehash(user.id, hash.verified, hash.stronger);
    return issueToken(stores, { userId: user.id, label: "session", scopes: [...SCOPES], expiresAt });
  });
}

/** The active user with a login that something else than a password has proved, with the scopes of a sign-in. */
export async function actorByLogin(deps: Pick<Deps, "records">, login: string): Promise<Actor | undefined> {
  const parsed = parseLogin(login);
  if (!parsed.ok) return undefined;
  const query = { login: parsed.value, active: true, sort: { by: "id", order: "ascending" } } as const;
  const [user] = await deps.records.users.page(query, { limit: 1 });
  return user && { userId: user.id, login: user.login, role: user.role, tokenId: null, scopes: [...SCOPES] };
}

/** Hashed, since people sometimes type their password into the login field. */
function keysOf({ login, address }: SignIn): Keys {
  const digest = (...texts: readonly string[]) => createHash("sha256").update(texts.join("\n")).digest("base64url");
  return {
    pair: `pair:${digest(fold(login), address)}`,
    account: `account:${digest(fold(login))}`,
    address: `address:${digest(address)}`,
  };
}

/** The attempt's place among the failures of its account from its address, and of its address. */
interface Attempt {
  readonly pair: Admission & { readonly wait: 0 };
  readonly addressFailures: number;
}

/** Counts the attempt as failed before it is made, so that parallel attempts cannot pass together. */
async function admit({ records, now }: Deps, keys: Keys, address: string): Promise<Attempt> {
  const at = now();
  const pair = await records.failures.admit(keys.pair, at, PAIR_BACKOFF);
  if (pair.wait > 0) throw throttled(pair.wait);
  const account = await records.failures.admit(keys.account, at, ACCOUNT_BACKOFF);
  const shared = await records.failures.admit(keys.address, at, isLoopback(address) ? UNLIMITED : ADDRESS_BACKOFF);
  const wait = Math.max(account.wait, shared.wait);
  if (wait > 0 && !pair.hasSucceeded) throw throttled(wait);
  return { pair: { ...pair, wait: 0 }, addressFailures: shared.failures };
}

/**
 * Audits a failed attempt, and with `signin.lock` that the next one must wait. Attempts on unknown accounts are audited
 * ever more rarely, since anyone can make any number of them; the statement writes a row in either case.
 */
async function report(
  { records }: Deps,
  keys: Keys,
  address: string,
  user: UserRecord | undefined,
  { pair, addressFailures }: Attempt,
): Promise<void> {
  const isAudited = user !== undefined || addressFailures <= 50 || Number.isInteger(Math.log2(addressFailures));
  await records.failures.report(keys.address, {
    isAudited,
    action: pair.nextWait > 0 ? "signin.lock" : "signin.fail",
    target: user === undefined ? "signin" : `user/${user.id}`,
    after: { address, failures: pair.failures, wait: pair.nextWait, addressFailures },
  });
}

function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && /^(?:(?:::ffff:)?127\.|::1$)/i.test(address);
}

function throttled(wait: number): DirectoryError {
  return new DirectoryError("throttled", `Too many failed sign-ins; retry in ${wait} s.`, { retryAfter: wait });
}

function refused(): DirectoryError {
  return new DirectoryError("unauthenticated", "Login or password is wrong.");
}
