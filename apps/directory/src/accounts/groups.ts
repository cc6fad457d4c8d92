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
