import { createHash } from "node:crypto";
import { fold, parseLogin } from "@berth/directory-domain";
import { DirectoryError } from "../errors/directory-error.ts";
import { validatePasswordLength } from "../passwords/rules.ts";
import type { Deps } from "./deps.ts";
import { type Actor, SCOPES, type UserRecord } from "./records.ts";
import { type IssuedToken, issueToken } from "./tokens.ts";

const ACCOUNT_BACKOFF = { free: 5, longest: 900 };
// Many people may share one address, so it gets more tries than one account.
const ADDRESS_BACKOFF = { free: 50, longest: 900 };
export const SESSION_SECONDS = 12 * 3_600;

export interface SignIn {
  /** Login or e-mail. */
  readonly login: string;
  readonly pass: string;
  /** Where the request came from, as far as the service can trust it. */
  readonly address: string;
}

/**
 * Signs a user in and makes a session token for twelve hours. Unknown users, wrong passwords, disabled users and users
 * without a password get the same answer after the same work. After five failures in a row an account waits 1, 2, 4 …
 * 900 seconds between tries, never for good: else anyone could lock anyone out.
 */
export async function signIn(deps: Deps, input: SignIn): Promise<IssuedToken & { readonly user: UserRecord }> {
  if (validatePasswordLength(input.pass) !== undefined) throw refused();
  const account = failureKey("account", fold(input.login));
  const address = failureKey("address", input.address);
  await requireAdmission(deps, account, address);
  const found = await deps.records.users.forSignIn(input.login);
  const right = await deps.hasher.verify(found?.passHash ?? null, input.pass).catch(async (fault: unknown) => {
    // The queue was full: nothing was tried, so nothing failed.
    for (const key of [account, address]) await deps.records.failures.takeBack(key);
    throw fault;
  });
  if (!right || found === undefined || !found.user.active) throw refused();
  const { user, passHash } = found;
  const stronger = passHash !== null && deps.hasher.needsRehash(passHash) ? await deps.hasher.hash(input.pass) : null;
  const expiresAt = new Date(deps.now().getTime() + SESSION_SECONDS * 1_000).toISOString();
  // By themselves, since all who sign in from one address wait for each other's change to its row.
  await Promise.all([deps.records.failures.forget(account), deps.records.failures.takeBack(address)]);
  const issued = await deps.records.change(user.id, async (stores) => {
    if (stronger !== null && passHash !== null) await stores.users.rehash(user.id, passHash, stronger);
    return issueToken(stores, { userId: user.id, label: "session", scopes: [...SCOPES], expiresAt });
  });
  return { ...issued, user };
}

/** Who the active user with a login is, when something else than the directory has proved it; it may all that a sign-in lets it. */
export async function actorByLogin(deps: Pick<Deps, "records">, login: string): Promise<Actor | undefined> {
  const parsed = parseLogin(login);
  if (!parsed.ok) return undefined;
  const query = { login: parsed.value, active: true, sort: { by: "id", order: "ascending" } } as const;
  const [user] = await deps.records.users.page(query, { limit: 1 });
  return user && { userId: user.id, login: user.login, role: user.role, tokenId: null, scopes: [...SCOPES] };
}

/** Hashed, since what people type into the login field is now and then their password. */
function failureKey(kind: "account" | "address", text: string): string {
  return `${kind}:${createHash("sha256").update(text).digest("base64url")}`;
}

async function requireAdmission(deps: Deps, account: string, address: string): Promise<void> {
  const now = deps.now();
  const wait =
    (await deps.records.failures.admit(address, now, ADDRESS_BACKOFF)) ||
    (await deps.records.failures.admit(account, now, ACCOUNT_BACKOFF));
  if (wait > 0)
    throw new DirectoryError("throttled", "Too many failed sign-ins: wait before the next try.", { retryAfter: wait });
}

function refused(): DirectoryError {
  return new DirectoryError("unauthenticated", "Login or password is wrong.");
}
