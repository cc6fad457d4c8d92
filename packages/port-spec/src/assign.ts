import { searchPorts } from "./assign-search.ts";
import { type Claim, freePorts, lastCandidate } from "./claim.ts";
import { portSetContains, portSetSize } from "./port-set.ts";
import { err, ok, type Result } from "./result.ts";
import { firstFree, type Given, type Scope, scopesExclude } from "./scope.ts";

/** A claim in one try, with the marks it reads and the marks it makes: those of its own scope and of each it excludes. */
export interface Seat<C extends Claim> {
  readonly claim: C;
  readonly given: Given;
  readonly rivals: readonly Given[];
}

/**
 * Gives each claim a port such that no two that exclude each other share one.
 *
 * Fixed claims come first. The others get three tries, each only where the one before failed: as the claims like it;
 * lowest port first, soonest end first, which never misses where the claims share a scope; a bounded search.
 *
 * @returns the ports, or a claim that got none.
 */
export function assignPorts<C extends Claim>(claims: readonly C[]): Result<ReadonlyMap<C, number>, C> {
  const fixed = claims.filter((claim) => portSetSize(claim.candidates) === 1);
  const open = claims.filter((claim) => portSetSize(claim.candidates) > 1);
  const order = [...fixed, ...open.sort((a, b) => lastCandidate(a) - lastCandidate(b))];

  const liked = giveInOrder(seatsOf(order), likedPort);
  if (liked.ok || fixed.includes(liked.error)) return liked;
  const lowest = giveInOrder(seatsOf(order), lowestPort);
  if (lowest.ok) return lowest;

  const seats = seatsOf(order);
  const settled = giveInOrder(seats.slice(0, fixed.length), lowestPort);
  const searched = searchPorts(seats.slice(fixed.length));
  return settled.ok && searched !== undefined ? ok(new Map([...settled.value, ...searched])) : liked;
}

type Pick = (claim: Claim, given: Given) => number | undefined;

function giveInOrder<C extends Claim>(seats: readonly Seat<C>[], pick: Pick): Result<ReadonlyMap<C, number>, C> {
  const ports = new Map<C, number>();
  for (const { claim, given, rivals } of seats) {
    const port = pick(claim, given);
    if (port === undefined) return err(claim);
    ports.set(claim, port);
    for (const rival of rivals) rival.set(port, port + 1);
  }
  return ok(ports);
}

const likedPort: Pick = (claim, given) => {
  const { preferred, scope, candidates, from } = claim;
  if (preferred !== undefined && portSetContains(candidates, preferred)) {
    if (firstFree(scope, given, preferred) === preferred) return preferred;
  }
  return freePorts(claim, given, from).next().value ?? undefined;
};

const lowestPort: Pick = (claim, given) => freePorts(claim, given, 0).next().value ?? undefined;

function seatsOf<C extends Claim>(claims: readonly C[]): readonly Seat<C>[] {
  const seats = new Map<Scope, { readonly given: Given; readonly rivals: Given[] }>();
  for (const { scope } of claims) {
    if (seats.has(scope)) continue;
    const seat = { given: new Map<number, number>(), rivals: [] as Given[] };
    seats.set(scope, seat);
    for (const [other, { given, rivals }] of seats) {
      if (!scopesExclude(scope, other)) continue;
      seat.rivals.push(given);
      if (other !== scope) rivals.push(seat.given);
    }
  }
  return claims.flatMap((claim) => {
    const seat = seats.get(claim.scope);
    return seat === undefined ? [] : [{ claim, ...seat }];
  });
}
