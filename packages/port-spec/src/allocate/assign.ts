import { portSetContains } from "../spec/port-set.ts";
import { err, ok, type Result } from "../spec/result.ts";
import { fixedPort, type OpenWish } from "./open-wish.ts";
import { Picks } from "./picks.ts";
import { searchPorts } from "./search.ts";

/** The port assigned to each wish. */
export type AssignedPorts<H> = ReadonlyMap<OpenWish<H>, number>;

/**
 * Assigns each wish a port such that no two wishes that exclude each other get the same one.
 *
 * Fixed ports come first. The others get up to three attempts: as the wishes prefer; lowest port first, where the wish whose
 * candidates end first chooses first, which never fails where all wishes share a scope; a bounded search.
 *
 * @returns the ports, or a wish that got none.
 */
export function assignPorts<H>(wishes: readonly OpenWish<H>[]): Result<AssignedPorts<H>, OpenWish<H>> {
  const fixed: OpenWish<H>[] = [];
  const flexible: OpenWish<H>[] = [];
  for (const wish of wishes) (fixedPort(wish) === undefined ? flexible : fixed).push(wish);
  flexible.sort((a, b) => lastCandidate(a) - lastCandidate(b));
  const order = [...fixed, ...flexible];

  const preferred = pickInOrder(order, new Picks(), preferredPort);
  if (preferred.ok || fixed.includes(preferred.error)) return preferred;
  const lowest = pickInOrder(order, new Picks(), lowestPort);
  if (lowest.ok) return lowest;

  const picks = new Picks();
  const settled = pickInOrder(fixed, picks, lowestPort);
  const searched = searchPorts(flexible, picks);
  return settled.ok && searched !== undefined ? ok(new Map([...settled.value, ...searched])) : preferred;
}

function lastCandidate({ candidates }: OpenWish<unknown>): number {
  return candidates.ranges.reduce((_, { end }) => end, 0);
}

function pickInOrder<H>(
  wishes: readonly OpenWish<H>[],
  picks: Picks,
  choose: (wish: OpenWish<H>, picks: Picks) => number | undefined,
): Result<AssignedPorts<H>, OpenWish<H>> {
  const ports = new Map<OpenWish<H>, number>();
  for (const wish of wishes) {
    const port = choose(wish, picks);
    if (port === undefined) return err(wish);
    ports.set(wish, port);
    picks.add(wish.scope, port);
  }
  return ok(ports);
}

function lowestPort(wish: OpenWish<unknown>, picks: Picks): number | undefined {
  return picks.freePorts(wish, 0).next().value;
}

function preferredPort(open: OpenWish<unknown>, picks: Picks): number | undefined {
  const { wish, candidates, scope, from } = open;
  const { preferred } = wish;
  if (preferred !== undefined && portSetContains(candidates, preferred) && picks.isFree(scope, preferred)) {
    return preferred;
  }
  return picks.freePorts(open, from).next().value;
}
