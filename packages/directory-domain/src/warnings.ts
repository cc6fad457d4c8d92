import { PROTOCOLS, portSetIncludes } from "@berth/port-spec";
import { portsFor } from "./check-port.ts";
import type { HostPortRange, Kind, OwnedConstraint } from "./constraint.ts";
import { type EffectiveConstraints, ofKind } from "./effective.ts";
import { imagePatternsOverlap } from "./image-pattern.ts";
import { ITEM_KINDS } from "./item-kinds.ts";

/** Something that an administrator hardly meant: it is no error, and every decision stays as it is. */
export interface Warning {
  /**
   * `empty`: limits and denies leave nothing of this kind. `ungranted`: limits narrow what neither the baseline nor a grant permits at all.
   * `pointless`: others say all that this constraint says.
   */
  readonly warning: "empty" | "ungranted" | "pointless";
  readonly kind: Kind;
  readonly constraints: readonly OwnedConstraint[];
}

/** The constraints of one kind, with what of their values a warning depends on. */
interface Family<K extends Kind, Value> {
  readonly kind: K;
  readonly baseline: readonly Value[];
  readonly valuesOf: (constraint: Extract<OwnedConstraint, { kind: K }>) => readonly Value[];
  readonly within: (outer: readonly Value[], inner: Value) => boolean;
  readonly isEmpty: (parts: Parts<Value>) => boolean;
}

interface Parts<Value> {
  readonly granted: readonly Value[];
  readonly limits: readonly (readonly Value[])[];
  readonly denied: readonly Value[];
}

/** What to tell an administrator about the constraints of one user. */
export function warningsOf(effective: EffectiveConstraints): readonly Warning[] {
  const items = <K extends keyof typeof ITEM_KINDS>(kind: K) => ITEM_KINDS[kind];
  const interfaces = items("host-interfaces");
  const images = items("images");
  const mounts = items("mounts");
  const privileges = items("privileges");
  const networks = items("networks");
  const subnets = items("subnets");
  // A kind without warnings does not compile.
  const byKind: Readonly<Record<Kind, readonly Warning[]>> = {
    "host-ports": warningsOfKind(effective, {
      kind: "host-ports",
      baseline: effective.baseline.hostPorts,
      valuesOf: (one) => one.ports,
      within: portsWithin,
      isEmpty: nothingLeft(portsWithin),
    }),
    "host-interfaces": warningsOfKind(effective, {
      ...interfaces,
      baseline: interfaces.baseline(effective),
      within: interfaces.space.within,
      isEmpty: nothingLeft(interfaces.space.within),
    }),
    images: warningsOfKind(effective, {
      ...images,
      baseline: images.baseline(effective),
      within: images.space.within,
      isEmpty: noImageLeft,
    }),
    mounts: warningsOfKind(effective, {
      ...mounts,
      baseline: mounts.baseline(effective),
      within: mounts.space.within,
      isEmpty: nothingLeft(mounts.space.within),
    }),
    privileges: warningsOfKind(effective, {
      ...privileges,
      baseline: privileges.baseline(effective),
      within: privileges.space.within,
      isEmpty: nothingLeft(privileges.space.within),
    }),
    networks: warningsOfKind(effective, {
      ...networks,
      baseline: networks.baseline(effective),
      within: networks.space.within,
      isEmpty: nothingLeft(networks.space.within),
    }),
    subnets: warningsOfKind(effective, {
      ...subnets,
      baseline: subnets.baseline(effective),
      within: subnets.space.within,
      isEmpty: nothingLeft(subnets.space.within),
    }),
    quota: warningsOfQuotas(effective),
    "shared-quota": warningsOfSharedQuotas(effective),
  };
  return Object.values(byKind).flat();
}

function warningsOfKind<K extends Kind, Value>(
  effective: EffectiveConstraints,
  { kind, baseline, valuesOf, within, isEmpty }: Family<K, Value>,
): readonly Warning[] {
  const constraints = ofKind(effective, kind);
  const isAllIn = (inner: readonly Value[], outer: readonly Value[]) => inner.every((value) => within(outer, value));
  const pointless = restated(constraints, (one, others) => {
    const alike = others.filter((other) => other.effect === one.effect);
    if (one.effect === "limit") return alike.some((other) => isAllIn(valuesOf(other), valuesOf(one)));
    return isAllIn(valuesOf(one), [...(one.effect === "grant" ? baseline : []), ...alike.flatMap(valuesOf)]);
  });
  const of = (effect: OwnedConstraint["effect"]) => constraints.filter((one) => one.effect === effect);
  const granted = [...baseline, ...of("grant").flatMap(valuesOf)];
  const narrowing = constraints.filter((one) => one.effect !== "grant");
  const leavesNothing =
    narrowing.length > 0 &&
    granted.length > 0 &&
    isEmpty({ granted, limits: of("limit").map(valuesOf), denied: of("deny").flatMap(valuesOf) });
  const ungranted = granted.length === 0 ? of("limit").filter((one) => valuesOf(one).length > 0) : [];
  return [
    ...(leavesNothing ? [{ warning: "empty", kind, constraints: narrowing } as const] : []),
    ...(ungranted.length > 0 ? [{ warning: "ungranted", kind, constraints: ungranted } as const] : []),
    ...pointless,
  ];
}

/** Where two values meet, their meeting is one of them, so that trying each value finds whatever is left. */
function nothingLeft<Value>(within: (outer: readonly Value[], inner: Value) => boolean) {
  return ({ granted, limits, denied }: Parts<Value>) =>
    ![...granted, ...limits.flat()].some(
      (value) => within(granted, value) && limits.every((limit) => within(limit, value)) && !within(denied, value),
    );
}

/** Patterns meet in what is neither of them: nothing is left where two lists share no image, or denies take a whole list. */
function noImageLeft({ granted, limits, denied }: Parts<string>): boolean {
  const lists = [granted, ...limits];
  const { removes } = ITEM_KINDS.images.space;
  return (
    lists.some((list) => list.every((pattern) => removes(denied, pattern))) ||
    lists.some((one, at) => lists.slice(at + 1).some((other) => !shareImage(one, other)))
  );
}

function shareImage(one: readonly string[], other: readonly string[]): boolean {
  return one.some((pattern) => other.some((second) => imagePatternsOverlap(pattern, second)));
}

function warningsOfQuotas(effective: EffectiveConstraints): readonly Warning[] {
  return restated(ofKind(effective, "quota"), (one, others) => {
    const alike = others.filter((other) => other.effect === one.effect && other.resource === one.resource);
    if (one.effect === "limit") return alike.some((other) => other.max <= one.max);
    const unbound = Number.POSITIVE_INFINITY;
    return Math.max(effective.baseline.quotas[one.resource] ?? unbound, ...alike.map((other) => other.max)) >= one.max;
  });
}

function warningsOfSharedQuotas(effective: EffectiveConstraints): readonly Warning[] {
  return restated(ofKind(effective, "shared-quota"), (one, others) =>
    others.some(
      ({ resource, max, owner }) =>
        resource === one.resource && max <= one.max && owner.type === one.owner.type && owner.id === one.owner.id,
    ),
  );
}

/** Of constraints that say the same the oldest stays: the youngest is looked at first, and left out once it is named. */
function restated<C extends OwnedConstraint>(
  constraints: readonly C[],
  isPointless: (constraint: C, others: readonly C[]) => boolean,
): readonly Warning[] {
  let left = [...constraints];
  const warnings: Warning[] = [];
  for (const one of [...constraints].reverse()) {
    const others = left.filter((other) => other !== one);
    if (!isPointless(one, others)) continue;
    left = others;
    warnings.unshift({ warning: "pointless", kind: one.kind, constraints: [one] });
  }
  return warnings;
}

function portsWithin(outer: readonly HostPortRange[], inner: HostPortRange): boolean {
  return PROTOCOLS.every((protocol) => portSetIncludes(portsFor(protocol, outer), portsFor(protocol, [inner])));
}
