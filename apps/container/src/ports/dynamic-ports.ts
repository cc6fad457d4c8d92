import {
  type PortAssignment,
  type PortSet,
  type PortWish,
  PROTOCOLS,
  type Protocol,
  portSetContains,
  portSetIntersect,
  portSetIsEmpty,
  portSetUnion,
} from "@berth/port-spec";

/**
 * The dynamic range of a user who is limited to permitted ports: the permitted part of the host's range, or all permitted ports if
 * that part is empty.
 */
export function dynamicPorts(automatic: PortSet, permitted: Readonly<Record<Protocol, PortSet>> | undefined): PortSet {
  return PROTOCOLS.map((protocol) => permitted?.[protocol] ?? automatic)
    .filter((ports) => portSetIsEmpty(portSetIntersect(automatic, ports)))
    .reduce(portSetUnion, automatic);
}

/** The index in the dynamic range after the last port picked from it; undefined where none was picked. */
export function seedAfter(
  dynamic: PortSet,
  assignments: readonly PortAssignment[],
  wishes: readonly PortWish[],
): number | undefined {
  if (!wishes.some(({ hostPorts }) => hostPorts === undefined)) return undefined;
  const picks = assignments.map(({ hostPort }) => hostPort).filter((port) => portSetContains(dynamic, port));
  const last = picks.at(-1);
  if (last === undefined) return undefined;
  let before = 0;
  for (const { start, end } of dynamic.ranges) {
    if (last <= end) return before + last - start + 1;
    before += end - start + 1;
  }
  return undefined;
}
