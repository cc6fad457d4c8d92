import type { MembershipRole } from "@berth/directory-domain";
import { DirectoryError, notFound } from "../errors/directory-error.ts";
import type { Deps } from "./deps.ts";
import { type Idempotency, idempotent } from "./idempotency.ts";
import { lockVersion, type Precondition } from "./precondition.ts";
import type { Actor, GroupRecord } from "./records.ts";
import type { GroupFields } from "./stores.ts";

export function createGroup(
  deps: Deps,
  actor: Actor,
  fields: GroupFields,
  idempotency: Idempotency | undefined,
): Promise<GroupRecord> {
  return deps.records.change(actor.userId, (stores) =>
    idempotent(stores, idempotency, () => stores.groups.create(fields)),
  );
}

export function changeGroup(
  deps: Deps,
  actor: Actor,
  id: number,
  changes: Partial<GroupFields>,
  precondition: Precondition,
): Promise<GroupRecord> {
  return deps.records.change(actor.userId, async (stores) => {
    await lockVersion(stores.groups, "group", id, precondition);
    return stores.groups.change(id, changes);
  });
}

/** Removes a group with its constraints and memberships; its users remain. */
export async function removeGroup(deps: Deps, actor: Actor, id: number, precondition: Precondition): Promise<void> {
  await deps.records.change(actor.userId, async (stores) => {
    await lockVersion(stores.groups, "group", id, precondition);
    await stores.groups.remove(id);
  });
}

/**
 * Adds a member, one row at a time, so that parallel changes never undo each other. Adding one that is there changes
 * nothing, unless it names another role; only an administrator makes or unmakes managers.
 */
export async function putMember(
  deps: Deps,
  actor: Actor,
  member: { readonly groupId: number; readonly userId: number; readonly role: MembershipRole | undefined },
): Promise<void> {
  await deps.records.change(actor.userId, async (stores) => {
    const { groupId, userId } = member;
    if ((await stores.groups.find(groupId)) === undefined) throw notFound("group", groupId);
    if ((await stores.users.find(userId)) === undefined) throw notFound("user", userId);
    const current = await stores.memberships.roleOf(userId, groupId);
    const role = member.role ?? current ?? "member";
    if (role === current) return;
    if (actor.role !== "admin" && (role === "manager" || current === "manager"))
      throw new DirectoryError("forbidden", "Only an administrator makes or unmakes managers.");
    await stores.memberships.put(userId, groupId, role);
  });
}

/** Takes a member out; one that is not in is no error. */
export async function removeMember(
  deps: Deps,
  actor: Actor,
  member: { readonly groupId: number; readonly userId: number },
): Promise<void> {
  await deps.records.change(actor.userId, async (stores) => {
    const { groupId, userId } = member;
    if ((await stores.groups.find(groupId)) === undefined) throw notFound("group", groupId);
    if (actor.role !== "admin" && actor.userId !== userId) {
      const role = await stores.memberships.roleOf(userId, groupId);
      if (role === "manager") throw new DirectoryError("forbidden", "Only an administrator makes or unmakes managers.");
    }
    await stores.memberships.remove(userId, groupId);
  });
}
