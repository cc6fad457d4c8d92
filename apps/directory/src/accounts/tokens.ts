import type { UserId } from "@berth/directory-domain";
import { DirectoryError, notFound } from "../errors/directory-error.ts";
import type { Deps } from "./deps.ts";
import type { Actor, Scope, TokenRecord } from "./records.ts";
import type { Stores } from "./stores.ts";
import { makeToken, tokenHash } from "./token-text.ts";

export interface NewToken {
  readonly userId: UserId;
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
}

/** A token with its text, which is shown this once and kept nowhere. */
export interface IssuedToken {
  readonly token: string;
  readonly record: TokenRecord;
}

/** How many tokens one user may have. */
export const MAX_TOKENS_OF_USER = 1_000;

/** Makes a token for the actor, or for any user when an administrator asks; never with a scope that the actor lacks. */
export async function createToken(deps: Deps, actor: Actor, input: NewToken): Promise<IssuedToken> {
  if (input.userId !== actor.userId && actor.role !== "admin")
    throw new DirectoryError("forbidden", "Only an administrator makes tokens for others.");
  const beyond = input.scopes.filter((scope) => !actor.scopes.includes(scope));
  if (beyond.length > 0)
    throw new DirectoryError("forbidden", `This token lacks the scope ${beyond.join(", ")} and can't hand it on.`);
  return deps.records.change(actor.userId, async (stores) => {
    const user = await stores.users.lock(input.userId);
    if (user === undefined) throw notFound("user", input.userId);
    const have = await stores.tokens.ofUser(input.userId, { limit: MAX_TOKENS_OF_USER });
    if (have.length >= MAX_TOKENS_OF_USER)
      throw new DirectoryError("conflict", `A user has at most ${MAX_TOKENS_OF_USER} tokens: revoke some first.`);
    return issueToken(stores, input);
  });
}

export async function issueToken(stores: Stores, input: NewToken): Promise<IssuedToken> {
  const token = makeToken();
  const sha256 = tokenHash(token);
  if (sha256 === undefined) throw new Error("a token that was just made has the wrong form");
  return { token, record: await stores.tokens.create({ ...input, sha256 }) };
}

/** Revokes a token of the actor, or of anyone when an administrator asks. */
export async function revokeToken(deps: Deps, actor: Actor, id: number): Promise<void> {
  await deps.records.change(actor.userId, async (stores) => {
    const token = await stores.tokens.find(id);
    if (token === undefined || (token.userId !== actor.userId && actor.role !== "admin")) throw notFound("token", id);
    await stores.tokens.remove(id);
  });
}

// Exact to the minute is enough to tell which tokens are unused, and spares a write on nearly every request.
const LAST_USE_MS = 60_000;

/** Who a bearer token belongs to, and until when it opens anything; undefined when it opens nothing. */
export async function actorOf(
  deps: Pick<Deps, "records" | "now">,
  token: string,
): Promise<{ readonly actor: Actor; readonly expiresAt: string | null } | undefined> {
  const sha256 = tokenHash(token);
  if (sha256 === undefined) return undefined;
  const found = await deps.records.tokens.findBySha256(sha256);
  if (found === undefined || !found.user.active) return undefined;
  const now = deps.now();
  const { expiresAt, lastUsedAt } = found.token;
  if (hasExpired(expiresAt, now)) return undefined;
  if (lastUsedAt === null || now.getTime() - Date.parse(lastUsedAt) > LAST_USE_MS)
    await deps.records.tokens.used(found.token.id, now.toISOString());
  const { id: userId, login, role } = found.user;
  return { actor: { userId, login, role, tokenId: found.token.id, scopes: found.token.scopes }, expiresAt };
}

export function hasExpired(expiresAt: string | null, now: Date): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= now.getTime();
}
