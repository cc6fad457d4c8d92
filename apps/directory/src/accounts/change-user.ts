import { DirectoryError, notFound } from "../errors/directory-error.ts";
import { hashNewPass } from "./create-user.ts";
import type { Deps } from "./deps.ts";
import { lockVersion, type Precondition, requireVersion } from "./precondition.ts";
import type { Actor, UserRecord } from "./records.ts";
import type { UserFields } from "./stores.ts";

export type UserChanges = Partial<UserFields & { readonly pass: string }>;

/** What only an administrator sets; a user may send them along as long as they say what already is. */
const ADMINISTRATIVE = ["role", "active", "externalId"] as const;

/**
 * Changes the given fields of a user and nothing else. A new password, or being disabled, ends all of the user's tokens:
 * whoever had one may be why.
 */
export async function changeUser(
  deps: Deps,
  actor: Actor,
  id: number,
  changes: UserChanges,
  precondition: Precondition,
): Promise<UserRecord> {
  const known = await deps.records.users.find(id);
  if (known === undefined) throw notFound("user", id);
  requireVersion(known, precondition);
  if (actor.role !== "admin") refuseAdministrative(known, changes);
  const { pass, ...fields } = changes;
  const passHash = pass === undefined ? undefined : await hashNewPass(deps, pass, { ...known, ...fields });
  return deps.records.change(actor.userId, async (stores) => {
    const before = await lockVersion(stores.users, "user", id, precondition);
    const after = await stores.users.change(id, passHash === undefined ? fields : { ...fields, passHash });
    if (passHash !== undefined || (before.active && !after.active))
      await stores.tokens.removeAll(id, { except: actor.userId === id ? actor.tokenId : null });
    return after;
  });
}

function refuseAdministrative(known: UserRecord, changes: UserChanges): void {
  const refused = ADMINISTRATIVE.filter((field) => changes[field] !== undefined && changes[field] !== known[field]);
  if (changes.pass !== undefined)
    throw new DirectoryError("forbidden", "Change your own password with PUT /api/me/pass.", {
      errors: [{ pointer: "/pass", detail: "needs the current password" }],
    });
  if (refused.length > 0)
    throw new DirectoryError("forbidden", "Only an administrator changes these fields.", {
      errors: refused.map((field) => ({ pointer: `/${field}`, detail: "is set by administrators" })),
    });
}
