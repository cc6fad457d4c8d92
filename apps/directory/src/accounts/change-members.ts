import { DirectoryError } from "../errors/directory-error.ts";
import type { Deps } from "./deps.ts";
import { lockVersion, type Precondition } from "./precondition.ts";
import type { Actor, GroupRecord } from "./records.ts";
import type { GroupFields, Stores } from "./stores.ts";

/** One change to a group's members. */
export type MemberChange =
  | { readonly add: readonly number[] }
  | { readonly remove: readonly number[] }
  | { readonly set: readonly number[] };

/**
 * Changes a group's fields and members in one transaction, in the given order. Rows are added and removed one at a time,
 * so parallel additions survive and remaining members keep their roles.
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
  fields: GroupFields,
  members: readonly number[],
): Promise<GroupRecord> {
  return deps.records.change(actor.userId, async (stores) => {
    const group = await stores.groups.create(fields);
    await applyChange(stores, group.id, { add: members });
    return group;
  });
}

async function applyChange(stores: Stores, groupId: number, change: MemberChange): Promise<void> {
  if ("add" in change) return add(stores, groupId, change.add);
  if ("remove" in change) {
    for (const userId of change.remove) await stores.memberships.remove(userId, groupId);
    return;
  }
  const wanted = new Set(change.set);
  for (const userId of await stores.memberships.idsOf(groupId))
    if (!wanted.delete(userId)) await stores.memberships.remove(userId, groupId);
  await add(stores, groupId, [...wanted]);
}

async function add(stores: Stores, groupId: number, userIds: readonly number[]): Promise<void> {
  for (const userId of userIds) {
    if ((await stores.memberships.roleOf(userId, groupId)) !== undefined) continue;
    if ((await stores.users.find(userId)) === undefined)
      throw new DirectoryError("invalid", `There is no user ${userId} to add as a member.`);
    await stores.memberships.put(userId, groupId, "member");
  }
}
