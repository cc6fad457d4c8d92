import type { Deps } from "./deps.ts";
import { notFound } from "./directory-error.ts";
import { type Precondition, requireVersion } from "./precondition.ts";
import type { Caller } from "./records.ts";

/** Removes a user with its memberships, constraints and tokens, in one transaction; the audit stays. */
export async function removeUser(deps: Deps, caller: Caller, id: number, precondition: Precondition): Promise<void> {
  await deps.records.change(caller.userId, async (stores) => {
    const user = await stores.users.lock(id);
    if (user === undefined) throw notFound("user", id);
    requireVersion(user, precondition);
    await stores.users.remove(id);
  });
}
