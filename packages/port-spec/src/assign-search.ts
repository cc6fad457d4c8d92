import { type Claim, freePorts, type Seat } from "./claim.ts";
import { formatPortSet } from "./port-set.ts";
import { scopesExclude } from "./scope.ts";

/** Past this many claims or steps the search gives up: a bound on what one request may cost. */
const MAX_CLAIMS = 64;
const MAX_STEPS = 5_000;

/** A claim with what is left for it to choose from. */
interface Choice<C extends Claim> {
  readonly claim: C;
  readonly rivals: ReadonlySet<C>;
  readonly ports: readonly number[];
}

/**
 * Finds a port for every claim by backtracking, where giving in order found none. Needed where claims exclude each other
 * unevenly (a wildcard against several specific addresses) and where a dynamic range has holes.
 *
 * @returns a port for each claim; `undefined` where there is none, or the bound was reached.
 */
export function searchPorts<C extends Claim>(seats: readonly Seat<C>[]): ReadonlyMap<C, number> | undefined {
  if (seats.length > MAX_CLAIMS) return undefined;
  const choices = seats.map<Choice<C>>((seat) => ({
    claim: seat.claim,
    rivals: new Set(seats.map(({ claim }) => claim).filter((other) => excludes(seat.claim, other))),
    // One port more than there are rivals is as good as any number of them.
    ports: [...take(freePorts(seat, 0), seats.length)],
  }));
  const { hard, easy } = setEasyAside(choices);
  const bound = { left: MAX_STEPS };
  return easy.reduceRight(
    (chosen, choice) => chosen && settle([without(choice, chosen)], chosen, bound),
    settle(hard, new Map(), bound),
  );
}

/** The choice without the ports its rivals have. */
function without<C extends Claim>(choice: Choice<C>, chosen: ReadonlyMap<C, number>): Choice<C> {
  const gone = new Set([...choice.rivals].map((rival) => chosen.get(rival)));
  return { ...choice, ports: choice.ports.filter((port) => !gone.has(port)) };
}

function* take(ports: Iterable<number>, count: number): Generator<number, void, undefined> {
  let left = count;
  for (const port of ports) {
    if (left-- === 0) return;
    yield port;
  }
}

function excludes(a: Claim, b: Claim): boolean {
  return a !== b && scopesExclude(a.scope, b.scope);
}

/** A claim with more ports than open rivals always finds one: it is settled last, the first set aside the very last. */
function setEasyAside<C extends Claim>(choices: readonly Choice<C>[]) {
  let hard = choices;
  const easy: Choice<C>[] = [];
  for (;;) {
    const open = new Set(hard.map((choice) => choice.claim));
    const next = hard.find(({ rivals, ports }) => ports.length > [...rivals].filter((claim) => open.has(claim)).length);
    if (next === undefined) return { hard, easy };
    easy.push(next);
    hard = hard.filter((choice) => choice !== next);
  }
}

/** Settles the first open claim that has the fewest ports, then the rest; `bound` is shared by the whole search. */
function settle<C extends Claim>(
  open: readonly Choice<C>[],
  chosen: ReadonlyMap<C, number>,
  bound: { left: number },
): ReadonlyMap<C, number> | undefined {
  const [first, ...others] = open;
  if (first === undefined) return chosen;
  if (bound.left-- <= 0 || isCrowded(open)) return undefined;
  const choice = others.reduce((least, other) => (other.ports.length < least.ports.length ? other : least), first);
  const rest = open.filter((other) => other !== choice);
  const failed: number[] = [];
  for (const port of choice.ports) {
    const narrowed = rest.map((other) => {
      if (!choice.rivals.has(other.claim)) return other;
      // What failed for this claim fails for every claim like it.
      const gone = alike(choice.claim, other.claim) ? [port, ...failed] : [port];
      return { ...other, ports: other.ports.filter((candidate) => !gone.includes(candidate)) };
    });
    const done = settle(narrowed, new Map([...chosen, [choice.claim, port]]), bound);
    if (done !== undefined) return done;
    failed.push(port);
  }
  return undefined;
}

/** Whether more claims of a kind are open than they have ports between them. */
function isCrowded<C extends Claim>(open: readonly Choice<C>[]): boolean {
  return open.some(({ claim, ports }) => open.filter((other) => alike(claim, other.claim)).length > ports.length);
}

function alike(a: Claim, b: Claim): boolean {
  return a.scope === b.scope && formatPortSet(a.candidates) === formatPortSet(b.candidates);
}
