import { type PortRange, PROTOCOLS, type Protocol, parsePortRange } from "@berth/port-spec";
import type { Constraint, ConstraintId, HostPortRange, OwnedConstraint, Resource } from "./constraint.ts";
import type { EffectiveConstraints } from "./effective.ts";
import type { PortWish } from "./request.ts";

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

/** Static host ports of a place, on every address of its host. */
export interface PlacePorts extends PortRange {
  readonly protocol: Protocol;
}

/** Docker's least memory of a container: less holds none. */
const LEAST_MEMORY = 6 * 2 ** 20;
const MOST_PIDS = 4_194_304;
const MOST_PORTS = 1_000;
/** The longest time of a place. */
export const MAX_PLACE_SECONDS = 366 * 86_400;
/** The form of a place's name. */
export const PLACE_NAME = /^[a-z0-9]([a-z0-9-]{0,28}[a-z0-9])?$/;

/** Reads `8080`, `8000-8010` or `53/udp`; undefined for anything else. `formatPlacePorts` writes it. */
export function parsePlacePorts(text: string): PlacePorts | undefined {
  const [, digits = "", protocol = "tcp"] = /^([^/]*)(?:\/(.*))?$/.exec(text) ?? [];
  const range = parsePortRange(digits);
  const known = PROTOCOLS.find((one) => one === protocol);
  return range === undefined || range.start === 0 || known === undefined ? undefined : { ...range, protocol: known };
}

export function formatPlacePorts({ start, end, protocol }: PlacePorts): string {
  return `${start}${end === start ? "" : `-${end}`}/${protocol}`;
}

/** Why nobody can have a place of that size; undefined if one can. */
export function placeSizeFault({
  memory,
  cpu,
  pids,
}: PlaceSize): { readonly field: string; readonly detail: string } | undefined {
  if (!Number.isSafeInteger(memory)) return { field: "memory", detail: "want a whole number of bytes" };
  if (memory < LEAST_MEMORY) return { field: "memory", detail: "want at least 6 MiB" };
  if (!(cpu >= 0.01 && cpu <= 1e6 && Math.abs(cpu * 100 - Math.round(cpu * 100)) < 1e-6))
    return { field: "cpus", detail: "want hundredths of a CPU, such as 1.5" };
  if (!Number.isSafeInteger(pids) || pids < 1 || pids > MOST_PIDS)
    return { field: "pids", detail: `want a whole number of processes from 1 to ${MOST_PIDS}` };
  return undefined;
}

/** Why no place can have these ports; undefined if one can. */
export function placePortsFault(ports: readonly PlacePorts[]): string | undefined {
  if (ports.reduce((sum, { start, end }) => sum + end - start + 1, 0) > MOST_PORTS)
    return `want at most ${MOST_PORTS} ports`;
  const isTwice = ports.some((one, at) => ports.slice(at + 1).some((other) => overlap(one, other)));
  return isTwice ? "names a port twice" : undefined;
}

function overlap(one: PlacePorts, other: PlacePorts): boolean {
  return one.protocol === other.protocol && one.start <= other.end && other.start <= one.end;
}

/** A wish for each port of a place: one wish for a range would pass with any port of it. */
export function placePortWishes(ports: readonly HostPortRange[], hostIp: string): readonly PortWish[] {
  return ports.flatMap(({ start, end, protocol }) =>
    Array.from({ length: end - start + 1 }, (_, at) => start + at).flatMap((port) =>
      (protocol === undefined ? PROTOCOLS : [protocol]).map((each) => {
        return { hostIp, hostPort: { start: port, end: port }, protocol: each };
      }),
    ),
  );
}
