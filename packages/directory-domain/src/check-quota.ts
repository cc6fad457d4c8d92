import { type Check, type Refusal, refusalBy } from "./check.ts";
import { type OwnedConstraint, RESOURCES, type Resource } from "./constraint.ts";
import { type EffectiveConstraints, ofKind } from "./effective.ts";
import type { DecisionRequest } from "./request.ts";
import { RESOURCE_TEXTS } from "./resource.ts";

/** The most that a user may hold of `resource`: min(every limit, max(baseline, every grant)); Infinity for no quota. */
export function effectiveQuota(effective: EffectiveConstraints, resource: Resource): number {
  const quotas = ofKind(effective, "quota").filter((one) => one.resource === resource);
  const granted = Math.max(
    effective.baseline.quotas[resource] ?? Number.POSITIVE_INFINITY,
    ...quotas.filter((one) => one.effect === "grant").map((one) => one.max),
  );
  return Math.min(granted, ...quotas.filter((one) => one.effect === "limit").map((one) => one.max));
}

/** Under any quota an unlimited wish is refused: a container without a memory limit can't be counted. */
export function checkQuota(request: DecisionRequest, effective: EffectiveConstraints): readonly Check[] {
  return RESOURCES.flatMap((resource) => {
    const wanted = request.quantities?.[resource];
    return wanted === undefined ? [] : [checkResource(resource, wanted, request, effective)];
  });
}

function checkResource(
  resource: Resource,
  wanted: number | "unlimited",
  request: DecisionRequest,
  effective: EffectiveConstraints,
): Check {
  const used = request.used?.[resource] ?? 0;
  const { show, remedy, full = null } = RESOURCE_TEXTS[resource];
  const max = effectiveQuota(effective, resource);
  const holds = (bound: number) =>
    bound === Number.POSITIVE_INFINITY || (wanted !== "unlimited" && used + wanted <= bound);
  const amount = wanted === 0 ? `${show(used)} in use` : `${show(Number(wanted))} more than the ${show(used)} in use`;
  const asked = wanted === "unlimited" ? "unlimited" : amount;
  const check = { kind: "quota", item: `${resource}: ${asked}` } as const;
  const isBounded = wanted === "unlimited" && isBoundedByPlace(resource, effective);
  if (holds(max) || isBounded) return { ...check, refusals: [], passing: [], remedy: null };
  const limits = ofKind(effective, "quota").filter(
    (one) => one.resource === resource && one.effect === "limit" && !holds(one.max),
  );
  return {
    ...check,
    refusals: refusalsOf(effective, resource, wanted, { limits, holds }),
    passing: [`at most ${show(max)} in all`],
    remedy: max > used ? (request.remedies?.[resource] ?? remedy(max - used)) : full,
  };
}

/** The kernel bounds all that is in a place together, so that a container in it needs no limit of its own. */
function isBoundedByPlace(resource: Resource, effective: EffectiveConstraints): boolean {
  const quotas = ofKind(effective, "quota").filter((one) => one.resource === resource);
  return quotas.length > 0 && quotas.every(({ owner }) => owner.type === "place");
}

function refusalsOf(
  effective: EffectiveConstraints,
  resource: Resource,
  wanted: number | "unlimited",
  found: { readonly limits: readonly OwnedConstraint[]; readonly holds: (bound: number) => boolean },
): readonly Refusal[] {
  const reason = wanted === "unlimited" ? "limit-required" : "over-quota";
  const withoutLimits: EffectiveConstraints = {
    ...effective,
    constraints: effective.constraints.filter((one) => one.effect !== "limit"),
  };
  const granted = found.holds(effectiveQuota(withoutLimits, resource));
  return [
    ...(granted ? [] : [{ reason: wanted === "unlimited" ? reason : "not-granted", constraints: [] } as const]),
    ...refusalBy(reason, found.limits),
  ];
}
