import { type Check, type Refusal, refusalOf } from "./check.ts";
import { type OwnedConstraint, RESOURCES, type Resource } from "./constraint.ts";
import { type EffectiveConstraints, ofKind } from "./effective.ts";
import type { DecisionRequest } from "./request.ts";

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
    if (wanted === undefined) return [];
    const used = request.used?.[resource] ?? 0;
    const max = effectiveQuota(effective, resource);
    const holds = (bound: number) =>
      bound === Number.POSITIVE_INFINITY || (wanted !== "unlimited" && used + wanted <= bound);
    const limits = ofKind(effective, "quota").filter(
      (one) => one.resource === resource && one.effect === "limit" && !holds(one.max),
    );
    const item = `${resource}: ${wanted === "unlimited" ? "unlimited" : `${wanted} more than the ${used} in use`}`;
    const refusals = holds(max) ? [] : refusalsOf(effective, resource, wanted, { limits, holds });
    return [{ kind: "quota", item, refusals, passing: holds(max) ? [] : [`at most ${max} in all`] } satisfies Check];
  });
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
    ...refusalOf(reason, found.limits),
  ];
}
