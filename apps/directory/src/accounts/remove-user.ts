import type { Deps } from "./deps.ts";
import { lockVersion, type Precondition } from "./precondition.ts";
import type { Actor } from "./records.ts";

/** Removes a user with its memberships, constraints and tokens in one transaction; its audit entries remain. */
export async function removeUser(deps: Deps, actor: Actor, id: number, precondition: Precondition): Promise<void> {
  await deps.records.change(actor.userId, async (stores) => {
    await lockVersion(stores.users, "user", id, precondition);
    await stores.users.remove(id);
  });
}
