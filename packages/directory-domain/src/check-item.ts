import { type Check, type Refusal, refusalOf } from "./check.ts";
import type { Kind, OwnedConstraint } from "./constraint.ts";
import { type EffectiveConstraints, ofKind } from "./effective.ts";
import type { DecisionRequest } from "./request.ts";
import { hostInterfaces, images, mounts, privileges, type Space } from "./space.ts";

type ConstraintOf<K extends Kind> = Extract<OwnedConstraint, { kind: K }>;

/** Checks of all that a request names one by one: addresses, images, mounts, privileges. */
export function checkItems(request: DecisionRequest, effective: EffectiveConstraints): readonly Check[] {
  const { baseline } = effective;
  const hostIps = [...new Set((request.ports ?? []).map((wish) => wish.hostIp))];
  return [
    ...checkKind(
      "host-interfaces",
      hostInterfaces,
      hostIps,
      baseline.hostInterfaces,
      effective,
      (one) => one.addresses,
    ),
    ...checkKind("images", images, request.images ?? [], baseline.images, effective, (one) => one.patterns),
    ...checkKind("mounts", mounts, request.mounts ?? [], baseline.mounts, effective, (one) => one.folders),
    ...checkKind(
      "privileges",
      privileges,
      request.privileges ?? [],
      baseline.privileges,
      effective,
      (one) => one.privileges,
    ),
  ];
}

function checkKind<K extends Kind, Value, Item>(
  kind: K,
  space: Space<Value, Item>,
  items: readonly Item[],
  baseline: readonly Value[],
  effective: EffectiveConstraints,
  valuesOf: (constraint: ConstraintOf<K>) => readonly Value[],
): readonly Check[] {
  const constraints = ofKind(effective, kind);
  const granted = [...baseline, ...constraints.filter((one) => one.effect === "grant").flatMap(valuesOf)];
  const limits = constraints.filter((one) => one.effect === "limit");
  const denies = constraints.filter((one) => one.effect === "deny");
  return items.map((item) => {
    const refusals: readonly Refusal[] = [
      ...(space.covers(granted, item) ? [] : [{ reason: "not-granted", constraints: [] } as const]),
      ...refusalOf(
        "outside-limit",
        limits.filter((one) => !space.covers(valuesOf(one), item)),
      ),
      ...refusalOf(
        "denied",
        denies.filter((one) => space.touches(valuesOf(one), item)),
      ),
    ];
    const bounds = limits.length > 0 ? limits.flatMap(valuesOf) : granted;
    const passing = refusals.length === 0 ? [] : [...new Set(bounds.map(space.showValue))];
    return { kind, item: space.showItem(item), refusals, passing };
  });
}
