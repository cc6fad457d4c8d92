import type { UserId } from "@berth/directory-domain";
import { DirectoryError } from "../errors/directory-error.ts";
import { type Actor, FACTOR_SCOPE, type Scope } from "./records.ts";
import type { Stores } from "./stores.ts";

/**
 * Who may call an endpoint. `self` is the user in the path, `member` and `manager` belong to the group in the path (a
 * `member` also through a subgroup),
 * `invitee` is the second id in the path, `reader` is an operator or an administrator.
 */
export type Access =
  | "anyone"
  | "signed-in"
  | "reader"
  | "admin"
  | "self-or-reader"
  | "self-or-admin"
  | "member-or-reader"
  | "manager-or-reader"
  | "manager-or-admin"
  | "invitee-or-manager-or-admin";

/**
 * Checks that the actor may call an endpoint.
 * @param path the ids in the path; `id` is of a user or a group depending on `access`.
 * @throws `forbidden`, or `not-found` where even the existence of the record is private.
 */
export async function authorize(
  access: Access,
  actor: Actor,
  { id: target, userId }: { readonly id: number | undefined; readonly userId?: number | undefined },
  stores: GroupReader,
): Promise<void> {
  const isAdmin = actor.role === "admin";
  const isReader = isAdmin || actor.role === "operator";
  switch (access) {
    case "anyone":
    case "signed-in":
      return;
    case "reader":
      return isReader ? undefined : forbid("Operators and administrators only.");
    case "admin":
      return isAdmin ? undefined : forbid("Administrators only.");
    case "self-or-reader":
      return isReader || actor.userId === target ? undefined : hide("user", target);
    case "self-or-admin":
      if (isAdmin || actor.userId === target) return;
      return isReader ? forbid("Administrators and the user itself only.") : hide("user", target);
    case "member-or-reader":
    case "manager-or-reader":
    case "manager-or-admin":
    case "invitee-or-manager-or-admin": {
      if (access.endsWith("-or-admin") ? isAdmin : isReader) return;
      if (access === "invitee-or-manager-or-admin" && userId === actor.userId) return;
      const role = target === undefined ? undefined : await stores.memberships.roleOf(actor.userId, target);
      if (role === "manager" || (role === "member" && access === "member-or-reader")) return;
      if (access === "member-or-reader" && target !== undefined && (await isWithin(stores, actor.userId, target)))
        return;
      return isReader || role === "member" ? forbid("Managers of the group only.") : hide("group", target);
    }
  }
}

/** What tells who belongs to a group. */
export type GroupReader = Pick<Stores, "memberships" | "subgroups">;

/** Whether a user is in a group or in one of its subgroups, at any depth: then the group's constraints bind it. */
export async function isWithin({ subgroups }: GroupReader, userId: UserId, groupId: number): Promise<boolean> {
  return (await subgroups.within(groupId, [userId])).has(userId);
}

/** @throws `forbidden` unless the actor's token carries one of `scopes`. */
export function requireScope(actor: Actor, scopes: readonly Scope[]): void {
  if (scopes.some((scope) => actor.scopes.includes(scope))) return;
  if (actor.scopes.includes(FACTOR_SCOPE)) forbid("Set up a second factor first: POST /api/me/second-factor.");
  forbid(`This token lacks the scope ${scopes.join(" or ")}.`);
}

function forbid(detail: string): never {
  throw new DirectoryError("forbidden", detail);
}

function hide(what: string, id: number | undefined): never {
  throw new DirectoryError("not-found", `There is no ${what} ${id}.`);
}
