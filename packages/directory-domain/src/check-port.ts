import {
  formatEndpoint,
  formatPortRange,
  NO_PORTS,
  type PortRange,
  type PortSet,
  type Protocol,
  portSet,
  portSetIncludes,
  portSetIntersect,
  portSetIsEmpty,
  portSetSubtract,
  portSetUnion,
} from "@berth/port-spec";
import { type Check, type Refusal, refusalBy } from "./check.ts";
import type { HostPortRange, OwnedConstraint } from "./constraint.ts";
import { type EffectiveConstraints, ofKind } from "./effective.ts";
import type { PortWish } from "./request.ts";

export interface CheckedPort {
  readonly check: Check;
  /** The host ports that the allocator may choose from. */
  readonly choice: PortSet;
  /** The host ports that the wish allows, regardless of constraints. */
  readonly everyChoice: PortSet;
}

/** All host ports of one protocol that a user may publish. */
export function effectivePorts(effective: EffectiveConstraints, protocol: Protocol): PortSet {
  return allowedOf(effective, protocol).allowed;
}

/**
 * A wish for one port passes when the user may publish that port. A wish for one of several (a range, a dynamic port) passes when one of
 * them is permitted; the allocator then chooses among the permitted ports.
 */
export function checkPort(wish: PortWish, effective: EffectiveConstraints): CheckedPort {
  const wanted = portSet(wish.hostPort === "dynamic" ? { start: 1, end: 65_535 } : wish.hostPort);
  const { granted, allowed } = allowedOf(effective, wish.protocol);
  const choice = portSetIntersect(wanted, allowed);
  const passes = !portSetIsEmpty(choice);
  return {
    check: {
      kind: "host-ports",
      item: showWish(wish),
      refusals: passes ? [] : refusalsOf(wish.protocol, wanted, granted, effective),
      passing: passes ? [] : allowed.ranges.map((range) => showPorts(range, wish.protocol)),
      remedy: null,
    },
    choice,
    everyChoice: wanted,
  };
}

/** Names each limit and deny that removes some of the wanted ports: if no port is left, each of them contributed. */
function refusalsOf(
  protocol: Protocol,
  wanted: PortSet,
  granted: PortSet,
  effective: EffectiveConstraints,
): readonly Refusal[] {
  const inGrant = portSetIntersect(wanted, granted);
  const isGranted = !portSetIsEmpty(inGrant);
  const asked = isGranted ? inGrant : wanted;
  const constraints = ofKind(effective, "host-ports");
  const portsOf = (one: Extract<OwnedConstraint, { kind: "host-ports" }>) => portsFor(protocol, one.ports);
  return [
    ...(isGranted ? [] : [{ reason: "not-granted", constraints: [] } as const]),
    ...refusalBy(
      "outside-limit",
      constraints.filter((one) => one.effect === "limit" && !portSetIncludes(portsOf(one), asked)),
    ),
    ...refusalBy(
      "denied",
      constraints.filter((one) => one.effect === "deny" && !portSetIsEmpty(portSetIntersect(portsOf(one), asked))),
    ),
  ];
}

function allowedOf(effective: EffectiveConstraints, protocol: Protocol) {
  const constraints = ofKind(effective, "host-ports").map(({ effect, ports }) => ({
    effect,
    ports: portsFor(protocol, ports),
  }));
  const unionOf = (effect: "grant" | "deny") =>
    constraints.filter((one) => one.effect === effect).reduce((sum, one) => portSetUnion(sum, one.ports), NO_PORTS);
  const granted = portSetUnion(portsFor(protocol, effective.baseline.hostPorts), unionOf("grant"));
  const limited = constraints
    .filter((one) => one.effect === "limit")
    .reduce((left, one) => portSetIntersect(left, one.ports), granted);
  return { granted, allowed: portSetSubtract(limited, unionOf("deny")) };
}

/** The ports of one protocol in the ranges. */
export function portsFor(protocol: Protocol, ranges: readonly HostPortRange[]): PortSet {
  const here = ranges.filter((range) => range.protocol === undefined || range.protocol === protocol);
  return portSet(...here.map(({ start, end }) => ({ start, end })));
}

function showPorts(range: PortRange, protocol: Protocol): string {
  return `${formatPortRange(range)}/${protocol}`;
}

function showWish(wish: PortWish): string {
  const port = wish.hostPort === "dynamic" ? "dynamic" : formatPortRange(wish.hostPort);
  return `${wish.hostIp === "" ? port : formatEndpoint(wish.hostIp, port)}/${wish.protocol}`;
}
