import { DirectoryError, notFound } from "../errors/directory-error.ts";
import { hashNewPass } from "./create-user.ts";
import type { Deps } from "./deps.ts";
import { type Actor, PASS_SCOPE } from "./records.ts";
import { type IssuedToken, issueToken } from "./tokens.ts";

const LINK_SECONDS = 24 * 3_600;

/** Makes the token of a link by which a user sets its own password, once and within a day. */
export function createPassLink(deps: Deps, actor: Actor, userId: number): Promise<IssuedToken> {
  const expiresAt = new Date(deps.now().getTime() + LINK_SECONDS * 1_000).toISOString();
  return deps.records.change(actor.userId, async (stores) => {
    const user = await stores.users.lock(userId);
    if (user === undefined) throw notFound("user", userId);
    if (user.kind === "service")
      throw new DirectoryError("conflict", `${user.login} is a service account, which has no password.`);
    return issueToken(stores, { userId: user.id, label: "link to set a password", scopes: [PASS_SCOPE], expiresAt });
  });
}

/** Sets the password of the holder of such a link, and ends all tokens of the user, that of the link among them. */
export async function setPassByLink(deps: Deps, actor: Actor, pass: string): Promise<void> {
  const user = await deps.records.users.find(actor.userId);
  if (user === undefined) throw notFound("user", actor.userId);
  const passHash = await hashNewPass(deps, pass, user);
  await deps.records.change(actor.userId, async (stores) => {
    await stores.users.change(actor.userId, { passHash });
    await stores.tokens.removeAll(actor.userId, { except: null });
  });
}
