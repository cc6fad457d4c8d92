import { DirectoryError } from "../errors/directory-error.ts";
import type { Deps } from "./deps.ts";
import { lockVersion, type Precondition } from "./precondition.ts";
import type { Actor, GroupRecord } from "./records.ts";
import type { GroupFields, NewGroup, Stores } from "./stores.ts";

/** Members of a group: users, and groups that are part of it. */
export interface MemberIds {
  readonly users: readonly number[];
  readonly groups: readonly number[];
}

/** One change to a group's members. */
export type MemberChange = { readonly add: MemberIds } | { readonly remove: MemberIds } | { readonly set: MemberIds };

/**
 * Changes a group's fields and members in one transaction, in the given order. Only the members that differ are added and
 * removed, so parallel additions survive and remaining members keep their roles.
 */
export async function changeGroupAndMembers(
  deps: Deps,
  actor: Actor,
  id: number,
  changes: { readonly fields: Partial<GroupFields>; readonly members: readonly MemberChange[] },
  precondition: Precondition,
): Promise<GroupRecord> {
  return deps.records.change(actor.userId, async (stores) => {
    await lockVersion(stores.groups, "group", id, precondition);
    for (const change of changes.members) await applyChange(stores, id, change);
    return stores.groups.change(id, changes.fields);
  });
}

/** Creates a group together with its first members. */
export async function createGroupWithMembers(
  deps: Deps,
  actor: Actor,
  fields: NewGroup,
  members: MemberIds,
): Promise<GroupRecord> {
  return deps.records.change(actor.userId, async (stores) => {
    const group = await stores.groups.create(fields);
    await applyChange(stores, group.id, { add: members });
    return group;
  });
}

async function applyChange(stores: Stores, groupId: number, change: MemberChange): Promise<void> {
  if ("remove" in change) {
    await stores.memberships.removeAll(groupId, change.remove.users);
    await stores.subgroups.removeAll(groupId, change.remove.groups);
    return;
  }
  if ("set" in change) {
    await stores.memberships.removeOthers(groupId, change.set.users);
    await stores.subgroups.removeOthers(groupId, change.set.groups);
  }
  const { users, groups } = "set" in change ? change.set : change.add;
  const missing = users.length === 0 ? undefined : await stores.memberships.addAll(groupId, users);
  if (missing !== undefined) throw new DirectoryError("invalid", `There is no user ${missing} to add as a member.`);
  for (const id of groups) {
    if ((await stores.groups.find(id)) === undefined)
      throw new DirectoryError("invalid", `There is no group ${id} to add as a member.`);
    await stores.subgroups.put(groupId, id);
  }
}
