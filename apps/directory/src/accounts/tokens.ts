import type { UserId } from "@berth/directory-domain";
import { DirectoryError, notFound } from "../errors/directory-error.ts";
import type { Deps } from "./deps.ts";
import { type Actor, REPORT_SCOPE, type Scope, type TokenRecord } from "./records.ts";
import type { Stores } from "./stores.ts";
import { makeToken, tokenHash } from "./token-text.ts";

export interface NewToken {
  readonly userId: UserId;
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
}

/** A token with its text, which is returned once and never stored. */
export interface IssuedToken {
  readonly token: string;
  readonly record: TokenRecord;
}

export const MAX_TOKENS_OF_USER = 1_000;

/**
 * Issues a token for the actor, or for any user when the actor is an administrator.
 * @throws `forbidden` for scopes that the actor's own token lacks, `conflict` when the user has too many tokens.
 */
export async function createToken(deps: Deps, actor: Actor, input: NewToken): Promise<IssuedToken> {
  if (input.userId !== actor.userId && actor.role !== "admin")
    throw new DirectoryError("forbidden", "Only administrators create tokens for other users.");
  const beyond = input.scopes.filter((scope) => !grantableBy(actor).includes(scope));
  if (beyond.length > 0)
    throw new DirectoryError(
      "forbidden",
      `The request's token lacks the scope ${beyond.join(", ")} and cannot grant it.`,
    );
  return deps.records.change(actor.userId, async (stores) => {
    const user = await stores.users.lock(input.userId);
    if (user === undefined) throw notFound("user", input.userId);
    const have = await stores.tokens.ofUser(input.userId, { limit: MAX_TOKENS_OF_USER });
    if (have.length >= MAX_TOKENS_OF_USER)
      throw new DirectoryError("conflict", `A user can have at most ${MAX_TOKENS_OF_USER} tokens; revoke some first.`);
    return issueToken(stores, input);
  });
}

/** The scopes of the actor's own token; an administrator's with `write` also lets container services report. */
function grantableBy({ role, scopes }: Actor): readonly Scope[] {
  return role === "admin" && scopes.includes("write") ? [...scopes, REPORT_SCOPE] : scopes;
}

export async function issueToken(stores: Stores, input: NewToken): Promise<IssuedToken> {
  const token = makeToken();
  const sha256 = tokenHash(token);
  if (sha256 === undefined) throw new Error("generated token does not match its own format");
  return { token, record: await stores.tokens.create({ ...input, sha256 }) };
}

/** Revokes a token of the actor, or of any user when the actor is an administrator. */
export async function revokeToken(deps: Deps, actor: Actor, id: number): Promise<void> {
  await deps.records.change(actor.userId, async (stores) => {
    const token = await stores.tokens.find(id);
    if (token === undefined || (token.userId !== actor.userId && actor.role !== "admin")) throw notFound("token", id);
    await stores.tokens.remove(id);
  });
}

// One-minute precision shows which tokens are unused and avoids a write on nearly every request.
const LAST_USE_MS = 60_000;

/** The owner and expiry of a bearer token; undefined for an unknown or expired token or an inactive owner. */
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
