import { type Check, type Refusal, refusalOf } from "./check.ts";
import { type EffectiveConstraints, ofKind } from "./effective.ts";
import { contains, type Intervals, intersect, overlaps, subtract, union } from "./intervals.ts";
import { formatPorts, portRanges, portSet } from "./port-set.ts";
import type { PortWish } from "./request.ts";

/** The host ports that may serve one wish, lowest first. */
export type PortChoice = readonly { readonly start: number; readonly end: number }[];

export interface CheckedPort {
  readonly check: Check;
  readonly choice: PortChoice;
  /** What the wish itself leaves to choose from, constraints aside. */
  readonly everyChoice: PortChoice;
}

/** The host ports that a user may take at all. */
export function effectivePorts(effective: EffectiveConstraints): Intervals {
  return allowedOf(effective).allowed;
}

/**
 * A wish for one port passes when that port may be taken; a wish for one of several (a range, a dynamic port) when any
 * of them may, and the allocator then picks among those.
 */
export function checkPort(wish: PortWish, effective: EffectiveConstraints): CheckedPort {
  const asked = wish.hostPort === "dynamic" ? { start: 1, end: 65_535 } : wish.hostPort;
  const wanted = portSet([{ ...asked, protocol: wish.protocol }]);
  const { granted, allowed } = allowedOf(effective);
  const left = intersect(wanted, allowed);
  const refusals = left.length > 0 ? [] : refusalsOf(wanted, granted, effective);
  return {
    check: {
      kind: "host-ports",
      item: showWish(wish),
      refusals,
      passing:
        left.length > 0
          ? []
          : portRanges(allowed)
              .filter((one) => one.protocol === wish.protocol)
              .map(formatPorts),
    },
    choice: choiceOf(left),
    everyChoice: choiceOf(wanted),
  };
}

/** Names each limit and deny that takes some of the wanted ports away: where none is left, each of them has its part in it. */
function refusalsOf(wanted: Intervals, granted: Intervals, effective: EffectiveConstraints): readonly Refusal[] {
  const constraints = ofKind(effective, "host-ports");
  const inGrant = intersect(wanted, granted);
  const subject = inGrant.length > 0 ? inGrant : wanted;
  return [
    ...(inGrant.length > 0 ? [] : [{ reason: "not-granted", constraints: [] } as const]),
    ...refusalOf(
      "outside-limit",
      constraints.filter((one) => one.effect === "limit" && !contains(portSet(one.ports), subject)),
    ),
    ...refusalOf(
      "denied",
      constraints.filter((one) => one.effect === "deny" && overlaps(portSet(one.ports), subject)),
    ),
  ];
}

function allowedOf(effective: EffectiveConstraints): { readonly granted: Intervals; readonly allowed: Intervals } {
  let granted = portSet(effective.baseline.hostPorts);
  const constraints = ofKind(effective, "host-ports").map((one) => ({ effect: one.effect, set: portSet(one.ports) }));
  for (const one of constraints) if (one.effect === "grant") granted = union(granted, one.set);
  let allowed = granted;
  for (const one of constraints) {
    if (one.effect === "limit") allowed = intersect(allowed, one.set);
    if (one.effect === "deny") allowed = subtract(allowed, one.set);
  }
  return { granted, allowed };
}

function showWish(wish: PortWish): string {
  const port =
    wish.hostPort === "dynamic"
      ? `dynamic/${wish.protocol}`
      : formatPorts({ ...wish.hostPort, protocol: wish.protocol });
  if (wish.hostIp === "") return port;
  return wish.hostIp.includes(":") ? `[${wish.hostIp}]:${port}` : `${wish.hostIp}:${port}`;
}

const choiceOf = (set: Intervals): PortChoice => portRanges(set).map(({ start, end }) => ({ start, end }));
