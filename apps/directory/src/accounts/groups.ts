import { notFound } from "../errors/directory-error.ts";
import type { Deps } from "./deps.ts";
import { type Idempotency, idempotent } from "./idempotency.ts";
import { lockVersion, type Precondition } from "./precondition.ts";
import type { Actor, GroupRecord } from "./records.ts";
import type { GroupFields, NewGroup } from "./stores.ts";

export function createGroup(
  deps: Deps,
  actor: Actor,
  fields: NewGroup,
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
  change: Partial<GroupFields> | ((group: GroupRecord) => Partial<GroupFields>),
  precondition: Precondition,
): Promise<GroupRecord> {
  return deps.records.change(actor.userId, async (stores) => {
    const before = await lockVersion(stores.groups, "group", id, precondition);
    return stores.groups.change(id, typeof change === "function" ? change(before) : change);
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
 * Makes a group part of another, so that its members are bound by both groups' constraints; succeeds if it is already.
 * @throws `conflict` if a group would become part of itself, or groups would nest more than 16 deep.
 */
export async function putSubgroup(deps: Deps, actor: Actor, groupId: number, subgroupId: number): Promise<void> {
  await deps.records.change(actor.userId, async (stores) => {
    for (const id of [groupId, subgroupId])
      if ((await stores.groups.find(id)) === undefined) throw notFound("group", id);
    await stores.subgroups.put(groupId, subgroupId);
  });
}

/** Takes a group out of another; succeeds if it is not in it. */
export async function removeSubgroup(deps: Deps, actor: Actor, groupId: number, subgroupId: number): Promise<void> {
  await deps.records.change(actor.userId, async (stores) => {
    if ((await stores.groups.find(groupId)) === undefined) throw notFound("group", groupId);
    await stores.subgroups.removeAll(groupId, [subgroupId]);
  });
}
