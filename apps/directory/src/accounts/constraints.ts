import type { Owner } from "@berth/directory-domain";
import { DirectoryError, notFound } from "../errors/directory-error.ts";
import { isWithin } from "./access.ts";
import type { Deps } from "./deps.ts";
import { type Idempotency, idempotent } from "./idempotency.ts";
import { lockVersion, type Precondition } from "./precondition.ts";
import type { Actor, ConstraintRecord, UnreadableRecord } from "./records.ts";
import type { ConstraintFields, Stores } from "./stores.ts";

/** Keeps a decision cheap; far more than a person can review. */
export const MAX_CONSTRAINTS_OF_OWNER = 10_000;

export function addConstraint(
  deps: Deps,
  actor: Actor,
  owner: Owner,
  fields: ConstraintFields,
  idempotency: Idempotency | undefined,
): Promise<ConstraintRecord> {
  return deps.records.change(actor.userId, (stores) =>
    idempotent(stores, idempotency, async () => {
      requireSharingOwner(owner, fields);
      await requireOwner(stores, owner);
      if ((await stores.constraints.countOf(owner)) >= MAX_CONSTRAINTS_OF_OWNER)
        throw new DirectoryError(
          "conflict",
          `A ${owner.type} can have at most ${MAX_CONSTRAINTS_OF_OWNER} constraints; remove some first.`,
        );
      return stores.constraints.create(owner, fields);
    }),
  );
}

export function changeConstraint(
  deps: Deps,
  actor: Actor,
  id: number,
  fields: ConstraintFields,
  precondition: Precondition,
): Promise<ConstraintRecord> {
  return deps.records.change(actor.userId, async (stores) => {
    const { owner } = await lockVersion(stores.constraints, "constraint", id, precondition);
    requireSharingOwner(owner, fields);
    return stores.constraints.change(id, fields);
  });
}

export async function removeConstraint(
  deps: Deps,
  actor: Actor,
  id: number,
  precondition: Precondition,
): Promise<void> {
  await deps.records.change(actor.userId, async (stores) => {
    await lockVersion(stores.constraints, "constraint", id, precondition);
    await stores.constraints.remove(id);
  });
}

/** Reads a constraint for a reader, its owner, or a member of the group that owns it; others get `not-found`. */
export async function readConstraint(
  deps: Deps,
  actor: Actor,
  id: number,
): Promise<ConstraintRecord | UnreadableRecord> {
  const constraint = await deps.records.constraints.find(id);
  if (constraint === undefined) throw notFound("constraint", id);
  if (actor.role !== "user") return constraint;
  const { owner } = constraint;
  const own = owner.type === "user" ? owner.id === actor.userId : await isWithin(deps.records, actor.userId, owner.id);
  if (!own) throw notFound("constraint", id);
  return constraint;
}

/** Locks the owner so that it exists until the constraint is written; throws `not-found` otherwise. */
async function requireOwner(stores: Stores, owner: Owner): Promise<void> {
  const found = owner.type === "user" ? await stores.users.lock(owner.id) : await stores.groups.lock(owner.id);
  if (found === undefined) throw notFound(owner.type, owner.id);
}

/** @throws `invalid` for a shared quota of a user, who has nobody to share it with. */
export function requireSharingOwner(owner: Pick<Owner, "type">, { constraint }: ConstraintFields): void {
  if (constraint.kind !== "shared-quota" || owner.type === "group") return;
  throw new DirectoryError("invalid", "Only groups have shared quotas; give a user a quota.", {
    errors: [{ pointer: "/kind", detail: "must be quota for a user" }],
  });
}

/**
 * Which of some users a shared quota binds. Those whom it binds may ask, and readers; others get `not-found`.
 * @throws `conflict` for a constraint that nobody shares.
 */
export async function sharersOf(
  deps: Deps,
  actor: Actor,
  id: number,
  userIds: readonly number[],
): Promise<readonly number[]> {
  const { owner, kind } = await readConstraint(deps, actor, id);
  if (owner.type !== "group" || kind !== "shared-quota")
    throw new DirectoryError("conflict", `Constraint ${id} is no shared quota.`);
  const sharers = await deps.records.subgroups.within(owner.id, userIds);
  return userIds.filter((userId) => sharers.has(userId));
}
