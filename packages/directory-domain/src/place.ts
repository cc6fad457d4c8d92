import type { Constraint, ConstraintId, HostPortRange, OwnedConstraint, Resource } from "./constraint.ts";
import type { EffectiveConstraints } from "./effective.ts";

/** What a place holds of its host in advance: bytes, processors (0.5 is half of one), and processes. */
export const PLACE_RESOURCES = ["memory", "cpu", "pids"] as const satisfies readonly Resource[];
export type PlaceResource = (typeof PLACE_RESOURCES)[number];
export type PlaceSize = Readonly<Record<PlaceResource, number>>;

/** A share of one host for one user. Unique by its name among the user's places on that host. */
export interface PlaceGrant {
  readonly id: string;
  readonly name: string;
  readonly size: PlaceSize;
  /** The static host ports that are the place's own. */
  readonly ports: readonly HostPortRange[];
}

/**
 * What holds for the user inside a place. The place limits host ports to its own and the host's dynamic ones. Its size replaces the
 * user's quotas on memory, processors and processes and the quotas that the user shares, because the place was counted against those
 * when it was taken. Everything else stays as it is for the user. Nothing chooses another control group than the place's.
 *
 * @param dynamic the host's range of dynamic ports.
 */
export function withinPlace(
  effective: EffectiveConstraints,
  place: PlaceGrant,
  dynamic: readonly HostPortRange[],
): EffectiveConstraints {
  const limits: readonly Constraint[] = [
    { kind: "host-ports", effect: "limit", ports: [...place.ports, ...dynamic] },
    { kind: "privileges", effect: "deny", privileges: ["cgroup-parent"] },
    ...PLACE_RESOURCES.map((resource): Constraint => {
      return { kind: "quota", effect: "limit", resource, max: place.size[resource] };
    }),
  ];
  const { memory: _, cpu: __, pids: ___, ...quotas } = effective.baseline.quotas;
  return {
    ...effective,
    baseline: { ...effective.baseline, quotas },
    constraints: [...effective.constraints.filter((one) => !isReplaced(one)), ...limits.map(ofPlace(place))],
  };
}

function isReplaced(constraint: OwnedConstraint): boolean {
  if (constraint.kind === "shared-quota") return true;
  return constraint.kind === "quota" && PLACE_RESOURCES.some((resource) => resource === constraint.resource);
}

function ofPlace({ id, name }: PlaceGrant): (constraint: Constraint) => OwnedConstraint {
  // No directory knows them: ids of stored constraints begin at 1.
  return (constraint) => ({
    ...constraint,
    id: 0 as ConstraintId,
    owner: { type: "place", id, name },
    expiresAt: null,
  });
}
