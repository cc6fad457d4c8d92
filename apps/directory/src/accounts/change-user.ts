import { isDeepStrictEqual } from "node:util";
import { DirectoryError, notFound } from "../errors/directory-error.ts";
import { hashNewPass } from "./create-user.ts";
import type { Deps } from "./deps.ts";
import { lockVersion, type Precondition, requireVersion } from "./precondition.ts";
import type { Actor, Profile, UserRecord } from "./records.ts";
import type { UserFields } from "./stores.ts";

export type UserChanges = Partial<UserFields & Profile & { readonly pass: string }>;

/** The changes, or how to find them in the user as it is while nobody else changes it. */
export type UserChange = UserChanges | ((user: UserRecord) => UserChanges);

function changesOf(change: UserChange, user: UserRecord): UserChanges {
  return typeof change === "function" ? change(user) : change;
}

/**
 * Fields that only administrators change; users may send them with their current value. Certificates, user sockets and `berth` commands name
 * a login: a user who took one that became free would get what was meant for another.
 */
const ADMINISTRATIVE = ["login", "role", "active", "externalId", "fields"] as const;

/**
 * Changes the given fields of a user. A new password, or disabling the user, revokes all of its tokens, since a leaked
 * token may be the reason for the change.
 */
export async function changeUser(
  deps: Deps,
  actor: Actor,
  id: number,
  change: UserChange,
  precondition: Precondition,
): Promise<UserRecord> {
  const known = await deps.records.users.find(id);
  if (known === undefined) throw notFound("user", id);
  requireVersion(known, precondition);
  const changes = changesOf(change, known);
  if (actor.role !== "admin") refuseAdministrative(known, changes);
  const { pass, ...fields } = changes;
  const passHash = pass === undefined ? undefined : await hashNewPass(deps, pass, { ...known, ...fields });
  return deps.records.change(actor.userId, async (stores) => {
    const before = await lockVersion(stores.users, "user", id, precondition);
    const { pass: _pass, ...current } = changesOf(change, before);
    const after = await stores.users.change(id, passHash === undefined ? current : { ...current, passHash });
    if (passHash !== undefined || (before.active && !after.active))
      await stores.tokens.removeAll(id, { except: actor.userId === id ? actor.tokenId : null });
    return after;
  });
}

function refuseAdministrative(known: UserRecord, changes: UserChanges): void {
  const refused = ADMINISTRATIVE.filter(
    (field) => changes[field] !== undefined && !isDeepStrictEqual(changes[field], known[field]),
  );
  if (changes.pass !== undefined)
    throw new DirectoryError("forbidden", "Users change their own password with PUT /api/me/pass.", {
      errors: [{ pointer: "/pass", detail: "cannot be changed here; use PUT /api/me/pass" }],
    });
  if (refused.length > 0)
    throw new DirectoryError("forbidden", `Only administrators may change ${refused.join(", ")}.`, {
      errors: refused.map((field) => ({ pointer: `/${field}`, detail: "can only be changed by administrators" })),
    });
}
