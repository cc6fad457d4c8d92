import type { MembershipRole } from "@berth/directory-domain";
import { DirectoryError, notFound } from "../errors/directory-error.ts";
import type { Deps } from "./deps.ts";
import type { Actor } from "./records.ts";
import type { Stores } from "./stores.ts";

export interface MemberOfGroup {
  readonly groupId: number;
  readonly userId: number;
}

/**
 * Adds a member or sets a member's role. An administrator adds anyone; a manager invites, and the invited user accepts by
 * adding itself: nobody else can subject a user to a group's constraints. Adds one row at a time, so that concurrent
 * changes never undo each other.
 * @param role undefined keeps the role of a member and makes a new one `member`.
 * @returns `invited` when the user has yet to accept. A manager gets the same answer for ids of no user.
 */
export function putMember(
  deps: Deps,
  actor: Actor,
  member: MemberOfGroup & { readonly role: MembershipRole | undefined },
): Promise<"member" | "invited"> {
  const { groupId, userId } = member;
  return deps.records.change(actor.userId, async (stores) => {
    if ((await stores.groups.find(groupId)) === undefined) throw notFound("group", groupId);
    const current = await stores.memberships.roleOf(userId, groupId);
    const role = member.role ?? current ?? "member";
    if (actor.role === "admin") {
      if ((await stores.users.find(userId)) === undefined) throw notFound("user", userId);
      await stores.invitations.remove(userId, groupId);
      if (role !== current) await stores.memberships.put(userId, groupId, role);
      return "member";
    }
    if (role !== (current ?? "member")) throw managersOnlyByAdministrators();
    if (current !== undefined) return "member";
    return userId === actor.userId ? accept(stores, member) : invite(stores, member);
  });
}

/**
 * Removes a member, or withdraws or declines an invitation; succeeds if there is neither. Members do not remove themselves,
 * since that would end the group's limits for them, and only administrators remove managers.
 */
export async function removeMember(deps: Deps, actor: Actor, member: MemberOfGroup): Promise<void> {
  const { groupId, userId } = member;
  await deps.records.change(actor.userId, async (stores) => {
    if ((await stores.groups.find(groupId)) === undefined) throw notFound("group", groupId);
    const role = await stores.memberships.roleOf(userId, groupId);
    if (actor.role !== "admin") {
      if (role === "manager") throw managersOnlyByAdministrators();
      if (userId === actor.userId && role !== undefined)
        throw new DirectoryError("forbidden", "Members cannot leave a group; ask a manager or an administrator.");
    }
    if (role !== undefined) return stores.memberships.remove(userId, groupId);
    if (await stores.invitations.remove(userId, groupId)) await note(stores, "uninvite", member);
    else if (userId === actor.userId && actor.role !== "admin") throw notFound("group", groupId);
  });
}

async function accept(stores: Stores, member: MemberOfGroup): Promise<"member"> {
  if (!(await stores.invitations.remove(member.userId, member.groupId))) throw notFound("group", member.groupId);
  await stores.memberships.put(member.userId, member.groupId, "member");
  return "member";
}

async function invite(stores: Stores, member: MemberOfGroup): Promise<"invited"> {
  if ((await stores.users.find(member.userId)) === undefined) return "invited";
  await stores.invitations.put(member.userId, member.groupId);
  await note(stores, "invite", member);
  return "invited";
}

function note(stores: Stores, verb: "invite" | "uninvite", { groupId, userId }: MemberOfGroup): Promise<void> {
  return stores.audit.note(`membership.${verb}`, `group/${groupId}`, { user_id: userId, group_id: groupId });
}

function managersOnlyByAdministrators(): DirectoryError {
  return new DirectoryError("forbidden", "Only administrators appoint, demote or remove managers.");
}
