import { type Claim, freePorts, type Seat } from "./claim.ts";
import { scopesExclude } from "./scope.ts";

/** Past this many claims or steps the search gives up: a bound on what one request may cost. */
const MAX_CLAIMS = 64;
const MAX_STEPS = 5_000;

/** A claim with what is left for it to choose from. */
interface Choice<C extends Claim> {
  readonly claim: C;
  readonly ports: readonly number[];
}

/**
 * Finds a port for every claim by backtracking, where giving in order found none. Needed where claims exclude each other
 * unevenly (a wish for one family among wishes for both) and where a dynamic range has holes.
 *
 * @returns a port for each claim; `undefined` where there is none, or the bound was reached.
 */
export function searchPorts<C extends Claim>(seats: readonly Seat<C>[]): ReadonlyMap<C, number> | undefined {
  if (seats.length > MAX_CLAIMS) return undefined;
  // The others can take no more than one port each, so as many ports as there are claims are as good as all.
  const choices = seats.map((seat) => ({ claim: seat.claim, ports: [...take(freePorts(seat, 0), seats.length)] }));
  return settle(choices, new Map(), { left: MAX_STEPS });
}

function* take(ports: Iterable<number>, count: number): Generator<number, void, undefined> {
  let left = count;
  for (const port of ports) {
    if (left-- === 0) return;
    yield port;
  }
}

/** Settles the open claim with the fewest ports, then the rest; the whole search shares the steps. */
function settle<C extends Claim>(
  open: readonly Choice<C>[],
  chosen: ReadonlyMap<C, number>,
  steps: { left: number },
): ReadonlyMap<C, number> | undefined {
  const [tightest, ...rest] = [...open].sort((a, b) => a.ports.length - b.ports.length);
  if (tightest === undefined) return chosen;
  for (const port of tightest.ports) {
    if (steps.left-- <= 0) return undefined;
    const narrowed = rest.map((other) =>
      scopesExclude(tightest.claim.scope, other.claim.scope)
        ? { ...other, ports: other.ports.filter((candidate) => candidate !== port) }
        : other,
    );
    const done = settle(narrowed, new Map([...chosen, [tightest.claim, port]]), steps);
    if (done !== undefined) return done;
  }
  return undefined;
}
