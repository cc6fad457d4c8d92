import type { OpenWish } from "./open-wish.ts";
import type { Picks } from "./picks.ts";
import { scopesOverlap } from "./scope.ts";

/** Past this many wishes or steps the search gives up: it bounds the cost of one request. */
const MAX_WISHES = 64;
const MAX_STEPS = 5_000;

/** A wish with the ports it can still get. */
interface Choice<H> {
  readonly wish: OpenWish<H>;
  readonly ports: readonly number[];
}

/**
 * Finds a port for every wish by backtracking, beside the ports already picked. Needed where wishes exclude each other
 * unevenly (a wish for one family among wishes for both) and where a dynamic range has holes.
 *
 * @returns a port for each wish; `undefined` where none exists or the search reached its bound.
 */
export function searchPorts<H>(
  wishes: readonly OpenWish<H>[],
  picks: Picks,
): ReadonlyMap<OpenWish<H>, number> | undefined {
  if (wishes.length > MAX_WISHES) return undefined;
  // The other wishes take at most one port each, so as many ports as there are wishes are as good as all of them.
  const choices = wishes.map((wish) => ({ wish, ports: take(picks.freePorts(wish, 0), wishes.length) }));
  return settle(choices, new Map(), { left: MAX_STEPS });
}

function take(ports: Iterable<number>, count: number): readonly number[] {
  const taken: number[] = [];
  for (const port of ports) if (taken.push(port) === count) break;
  return taken;
}

/** Settles the wish with the fewest ports, then the rest; the whole search shares the steps. */
function settle<H>(
  open: readonly Choice<H>[],
  chosen: ReadonlyMap<OpenWish<H>, number>,
  steps: { left: number },
): ReadonlyMap<OpenWish<H>, number> | undefined {
  const [tightest, ...rest] = [...open].sort((a, b) => a.ports.length - b.ports.length);
  if (tightest === undefined) return chosen;
  for (const port of tightest.ports) {
    if (steps.left-- <= 0) return undefined;
    const narrowed = rest.map((other) =>
      scopesOverlap(tightest.wish.scope, other.wish.scope)
        ? { ...other, ports: other.ports.filter((candidate) => candidate !== port) }
        : other,
    );
    const found = settle(narrowed, new Map([...chosen, [tightest.wish, port]]), steps);
    if (found !== undefined) return found;
  }
  return undefined;
}
