import { type Check, type Reason, type Refusal, refusalBy } from "./check.ts";
import { type OwnedConstraint, SHARED_RESOURCES, type SharedResource } from "./constraint.ts";
import { type EffectiveConstraints, ofKind } from "./effective.ts";
import type { DecisionRequest } from "./request.ts";
import { RESOURCE_TEXTS } from "./resource.ts";

type SharedQuota = Extract<OwnedConstraint, { kind: "shared-quota" }>;

/** The quotas that a user shares with the other members of its groups. */
export function sharedQuotas(effective: EffectiveConstraints): readonly SharedQuota[] {
  return ofKind(effective, "shared-quota");
}

/** Each shared quota counts what all members use; one whose use is unknown refuses, as does an unlimited wish. */
export function checkSharedQuotas(request: DecisionRequest, effective: EffectiveConstraints): readonly Check[] {
  return SHARED_RESOURCES.flatMap((resource) => {
    const quotas = sharedQuotas(effective).filter((one) => one.resource === resource);
    const wanted = request.quantities?.[resource];
    return wanted === undefined || quotas.length === 0
      ? []
      : [
          checkResource(
            resource,
            wanted,
            quotas.map((quota) => [quota, request.sharedUse?.[quota.id]] as const),
          ),
        ];
  });
}

function checkResource(
  resource: SharedResource,
  wanted: number | "unlimited",
  uses: readonly (readonly [SharedQuota, used: number | undefined])[],
): Check {
  const { show, remedy } = RESOURCE_TEXTS[resource];
  const reasonOf = ([{ max }, used]: (typeof uses)[number]): Reason | undefined => {
    if (used === undefined) return "not-counted";
    if (wanted === "unlimited") return "limit-required";
    return used + wanted <= max ? undefined : "over-quota";
  };
  const refusals = (["not-counted", "limit-required", "over-quota"] as const).flatMap((reason): readonly Refusal[] =>
    refusalBy(
      reason,
      uses.filter((use) => reasonOf(use) === reason).map(([quota]) => quota),
    ),
  );
  const left = Math.min(...uses.map(([{ max }, used]) => max - (used ?? Number.POSITIVE_INFINITY)));
  const tightest = uses.find(([{ max }, used]) => used !== undefined && max - used === left);
  const inUse = tightest === undefined ? "" : ` than the ${show(tightest[1] ?? 0)} that all members have in use`;
  const check = {
    kind: "shared-quota",
    item: `${resource}: ${wanted === "unlimited" ? wanted : `${show(wanted)} more${inUse}`}`,
    refusals,
  } as const;
  if (refusals.length === 0) return { ...check, passing: [], remedy: null };
  const passing = tightest === undefined ? [] : [`at most ${show(tightest[0].max)} of all members together`];
  return { ...check, passing, remedy: left > 0 && Number.isFinite(left) ? remedy(left) : null };
}
