import { DirectoryError, notFound } from "../errors/directory-error.ts";
import { validatePasswordLength } from "../passwords/rules.ts";
import { hashNewPass } from "./create-user.ts";
import type { Deps } from "./deps.ts";
import type { Actor } from "./records.ts";

/** Changes the actor's own password and ends its other tokens. `current` is what it has now, or null when it has none. */
export async function changeOwnPass(
  deps: Deps,
  actor: Actor,
  input: { readonly current: string | null; readonly pass: string },
): Promise<void> {
  const user = await deps.records.users.find(actor.userId);
  if (user === undefined) throw notFound("user", actor.userId);
  const stored = await deps.records.users.passHash(actor.userId);
  if (stored !== null) {
    const right =
      input.current !== null &&
      validatePasswordLength(input.current) === undefined &&
      (await deps.hasher.verify(stored, input.current));
    if (!right)
      throw new DirectoryError("forbidden", "The current password is wrong.", {
        errors: [{ pointer: "/current", detail: "is not the current password" }],
      });
  }
  const passHash = await hashNewPass(deps, input.pass, user);
  await deps.records.change(actor.userId, async (stores) => {
    await stores.users.change(actor.userId, { passHash });
    await stores.tokens.removeAll(actor.userId, { except: actor.tokenId });
  });
}
