import { DirectoryError, removedUser } from "../errors/directory-error.ts";
import { validatePasswordLength } from "../passwords/rules.ts";
import { hashNewPass } from "./create-user.ts";
import type { Deps } from "./deps.ts";
import type { Actor } from "./records.ts";

/**
 * Changes the actor's own password and revokes its other tokens.
 * @param input `current` is the present password, null for a user without one.
 * @throws `forbidden` when `current` is wrong, also when the password changed since it was verified.
 */
export async function changeOwnPass(
  deps: Deps,
  actor: Actor,
  input: { readonly current: string | null; readonly pass: string },
): Promise<void> {
  const user = await deps.records.users.find(actor.userId);
  if (user === undefined) throw removedUser();
  const verified = await deps.records.users.passHash(actor.userId);
  if (verified !== null && !(await isRight(deps, verified, input.current))) throw wrongPassword();
  const passHash = await hashNewPass(deps, input.pass, user);
  await deps.records.change(actor.userId, async (stores) => {
    const stored = await stores.users.lockPassHash(actor.userId);
    if (stored === undefined) throw removedUser();
    if (stored.passHash !== verified) throw wrongPassword();
    await stores.users.change(actor.userId, { passHash });
    await stores.tokens.removeAll(actor.userId, { except: actor.tokenId });
  });
}

async function isRight(deps: Deps, passHash: string, pass: string | null): Promise<boolean> {
  return pass !== null && validatePasswordLength(pass) === undefined && (await deps.hasher.verify(passHash, pass));
}

function wrongPassword(): DirectoryError {
  return new DirectoryError("forbidden", "The current password is wrong.", {
    errors: [{ pointer: "/current", detail: "is not the current password" }],
  });
}
