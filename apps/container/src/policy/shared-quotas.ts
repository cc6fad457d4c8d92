import { sharedQuotas } from "@berth/directory-domain";
import type { Actor } from "../engine/actor.ts";
import type { KeyedLock } from "../engine/concurrency/keyed-lock.ts";
import { isPlace } from "../engine/owners.ts";
import type { User } from "./assert-allowed.ts";

/** A shared quota and the owners whose containers count. */
export interface SharedQuotaUse<Owned> {
  readonly id: number;
  readonly resource: ReturnType<typeof sharedQuotas>[number]["resource"];
  readonly held: readonly Owned[];
}

/**
 * What counts for each quota that the user shares with others: all things of the owners that it binds. A quota whose sharers cannot be
 * asked for is left out, so that the decision refuses.
 */
export async function sharedUses<Owned extends { readonly owner: string | undefined }>(
  user: User,
  things: readonly Owned[],
): Promise<readonly SharedQuotaUse<Owned>[]> {
  const { sharersOf, effective } = user;
  if (sharersOf === undefined) return [];
  // A place counts itself, for the user that has it; what is in it counts against the place.
  const owners = [...new Set(things.flatMap(({ owner }) => (owner === undefined || isPlace(owner) ? [] : owner)))];
  return await Promise.all(
    sharedQuotas(effective).map(async ({ id, resource }) => {
      const sharers = await sharersOf(id, owners);
      return { id, resource, held: things.filter(({ owner }) => owner !== undefined && sharers.has(owner)) };
    }),
  );
}

/** Runs `work` while nothing else is counted against the owner's quotas, or against those that it shares with a group. */
export function holdQuotas<Result>(
  owners: KeyedLock<string>,
  actor: Actor,
  owner: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  const quotas = actor.kind === "user" ? sharedQuotas(actor.effective) : [];
  // Sorted, so that two users of the same groups never wait for each other in a circle.
  const groups = [...new Set(quotas.map((quota) => `group/${quota.owner.id}`))].sort();
  const held = groups.reduceRight((inner, key) => () => owners.hold(key, inner), work);
  return owners.hold(owner ?? "", held);
}
