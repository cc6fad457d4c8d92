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
  if ("remove" in change) return stores.memberships.removeAll(groupId, change.remove);
  if ("set" in change) await stores.memberships.removeOthers(groupId, change.set);
  const wanted = "set" in change ? change.set : change.add;
  if (wanted.length === 0) return;
  const missing = await stores.memberships.addAll(groupId, wanted);
  if (missing !== undefined) throw new DirectoryError("invalid", `There is no user ${missing} to add as a member.`);
}
