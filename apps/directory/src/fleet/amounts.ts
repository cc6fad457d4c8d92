import {
  type DecisionRequest,
  type EffectiveConstraints,
  effectiveQuota,
  PLACE_RESOURCES,
  placePortWishes,
  type Resource,
  type SharedResource,
  sharedQuotas,
} from "@berth/directory-domain";
import type { Amount } from "./ledger.ts";
import type { PlaceWish } from "./place.ts";

/** A place counts as one container of its size, whatever runs in it. */
const COUNTED = ["containers", ...PLACE_RESOURCES] as const satisfies readonly (Resource & SharedResource)[];

type Wish = Pick<PlaceWish, "userId" | "size" | "ports">;

function quantitiesOf({ size }: Wish): Readonly<Record<(typeof COUNTED)[number], number>> {
  return { containers: 1, ...size };
}

function accountOf(userId: number, resource: Resource): string {
  return `user/${userId}/${resource}`;
}

/** What a place takes of its user's quotas, and of those that the user shares with the members of its groups. */
export function amountsOf(wish: Wish, effective: EffectiveConstraints): readonly Amount[] {
  const quantities = quantitiesOf(wish);
  const own = COUNTED.map((resource) => ({
    account: accountOf(wish.userId, resource),
    amount: quantities[resource],
    max: bounded(effectiveQuota(effective, resource)),
  }));
  const shared = sharedQuotas(effective).flatMap(({ id, resource, max }) => {
    const counted = COUNTED.find((one) => one === resource);
    return counted === undefined ? [] : [{ account: `shared/${id}`, amount: quantities[counted], max }];
  });
  return [...own, ...shared];
}

/** What to decide on for a place, where so much of the accounts is in use. */
export function requestOf(
  wish: Wish,
  effective: EffectiveConstraints,
  used: ReadonlyMap<string, number>,
): DecisionRequest {
  return {
    ports: placePortWishes(wish.ports, ""),
    quantities: quantitiesOf(wish),
    used: Object.fromEntries(COUNTED.map((resource) => [resource, used.get(accountOf(wish.userId, resource)) ?? 0])),
    sharedUse: Object.fromEntries(sharedQuotas(effective).map(({ id }) => [id, used.get(`shared/${id}`) ?? 0])),
  };
}

function bounded(max: number): number | undefined {
  return Number.isFinite(max) ? max : undefined;
}
