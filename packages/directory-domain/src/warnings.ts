import { PROTOCOLS, portSetIncludes } from "@berth/port-spec";
import { portsFor } from "./check-port.ts";
import type { HostFolder, HostPortRange, Kind, OwnedConstraint, Privilege } from "./constraint.ts";
import { type EffectiveConstraints, ofKind } from "./effective.ts";
import { matchesPattern } from "./image-pattern.ts";
import { containsBlock, mounts, privileges } from "./space.ts";

/** Something that an administrator hardly meant: it is no error, and every decision stays as it is. */
export interface Warning {
  /** `empty`: limits and denies leave nothing of this kind. `pointless`: others say all that this constraint says. */
  readonly warning: "empty" | "pointless";
  readonly kind: Kind;
  readonly constraints: readonly OwnedConstraint[];
}

/** What to tell an administrator about the constraints of one user. */
export function warningsOf(effective: EffectiveConstraints): readonly Warning[] {
  const { baseline } = effective;
  return [
    ...ofSet(effective, "host-ports", baseline.hostPorts, (one) => one.ports, portsWithin),
    ...ofSet(effective, "host-interfaces", baseline.hostInterfaces, (one) => one.addresses, containsBlock),
    ...ofSet(effective, "images", baseline.images, (one) => one.patterns, patternWithin),
    ...ofSet(effective, "mounts", baseline.mounts, (one) => one.folders, mounts.covers),
    ...ofSet(effective, "privileges", baseline.privileges, (one) => one.privileges, privileges.covers),
    ...ofQuotas(effective),
  ];
}

type Value = HostPortRange | HostFolder | Privilege | string;

function ofSet<K extends Kind, V extends Value>(
  effective: EffectiveConstraints,
  kind: K,
  baseline: readonly V[],
  valuesOf: (constraint: Extract<OwnedConstraint, { kind: K }>) => readonly V[],
  within: (outer: readonly V[], inner: V) => boolean,
): readonly Warning[] {
  const constraints = ofKind(effective, kind);
  const isAllIn = (inner: readonly V[], outer: readonly V[]) => inner.every((value) => within(outer, value));
  const pointless = restated(constraints, (one, others) => {
    const alike = others.filter((other) => other.effect === one.effect);
    if (one.effect === "limit") return alike.some((other) => isAllIn(valuesOf(other), valuesOf(one)));
    return isAllIn(valuesOf(one), [...(one.effect === "grant" ? baseline : []), ...alike.flatMap(valuesOf)]);
  });
  const of = (effect: OwnedConstraint["effect"]) => constraints.filter((one) => one.effect === effect);
  const granted = [...baseline, ...of("grant").flatMap(valuesOf)];
  // Where two values meet, their meeting is one of them, so that trying each value finds whatever is left. Patterns meet
  // in what is neither of them: for those only what a single limit or deny takes whole is said.
  const limits = of("limit").map(valuesOf);
  const denied = of("deny").flatMap(valuesOf);
  const isLeft = (value: V) =>
    within(granted, value) && limits.every((limit) => within(limit, value)) && !within(denied, value);
  const isEmpty =
    kind === "images"
      ? limits.some((limit) => limit.length === 0) || (granted.length > 0 && isAllIn(granted, denied))
      : granted.length > 0 && ![...granted, ...limits.flat()].some(isLeft);
  const narrowing = constraints.filter((one) => one.effect !== "grant");
  return [
    ...(isEmpty && narrowing.length > 0 ? [{ warning: "empty", kind, constraints: narrowing } as const] : []),
    ...pointless,
  ];
}

function ofQuotas(effective: EffectiveConstraints): readonly Warning[] {
  return restated(ofKind(effective, "quota"), (one, others) => {
    const alike = others.filter((other) => other.effect === one.effect && other.resource === one.resource);
    if (one.effect === "limit") return alike.some((other) => other.max <= one.max);
    const unbound = Number.POSITIVE_INFINITY;
    return Math.max(effective.baseline.quotas[one.resource] ?? unbound, ...alike.map((other) => other.max)) >= one.max;
  });
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

/** A pattern that matches the other's text matches all that the other does: only a star can match a star. */
function patternWithin(outer: readonly string[], inner: string): boolean {
  return outer.some((pattern) => matchesPattern(pattern, inner));
}
