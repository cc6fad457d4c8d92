import { searchPorts } from "./assign-search.ts";
import { type Claim, freePorts, isFree, type Seat, seatsOf } from "./claim.ts";
import { portSetContains, portSetSize } from "./port-set.ts";
import { err, ok, type Result } from "./result.ts";

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

function lastCandidate({ candidates }: Claim): number {
  return candidates.ranges.reduce((_, { end }) => end, 0);
}

type Pick = (seat: Seat<Claim>) => number | undefined;

const lowestPort: Pick = (seat) => freePorts(seat, 0).next().value;

const likedPort: Pick = (seat) => {
  const { preferred, candidates, from } = seat.claim;
  if (preferred !== undefined && portSetContains(candidates, preferred) && isFree(seat, preferred)) return preferred;
  return freePorts(seat, from).next().value;
};

function giveInOrder<C extends Claim>(seats: readonly Seat<C>[], pick: Pick): Result<ReadonlyMap<C, number>, C> {
  const ports = new Map<C, number>();
  for (const seat of seats) {
    const port = pick(seat);
    if (port === undefined) return err(seat.claim);
    ports.set(seat.claim, port);
    for (const page of seat.writes) page.set(port, port + 1);
  }
  return ok(ports);
}
