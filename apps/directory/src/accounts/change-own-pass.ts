import { lengthFault } from "../passwords/rules.ts";
import { hashNewPass } from "./create-user.ts";
import type { Deps } from "./deps.ts";
import { DirectoryError, notFound } from "./directory-error.ts";
import type { Caller } from "./records.ts";

/** Changes the caller's own password and ends its other tokens. `current` is what it has now, or null when it has none. */
export async function changeOwnPass(
  deps: Deps,
  caller: Caller,
  input: { readonly current: string | null; readonly pass: string },
): Promise<void> {
  const user = await deps.records.users.find(caller.userId);
  if (user === undefined) throw notFound("user", caller.userId);
  const stored = await deps.records.users.passHash(caller.userId);
  if (stored !== null) {
    const right =
      input.current !== null &&
      lengthFault(input.current) === undefined &&
      (await deps.hasher.verify(stored, input.current));
    if (!right)
      throw new DirectoryError("forbidden", "The current password is wrong.", {
        errors: [{ pointer: "/current", detail: "is not the current password" }],
      });
  }
  const passHash = await hashNewPass(deps, input.pass, user);
  await deps.records.change(caller.userId, async (stores) => {
    await stores.users.change(caller.userId, { passHash });
    await stores.tokens.removeAll(caller.userId, { except: caller.tokenId });
  });
}
