import type { PortSet } from "./port-set.ts";
import { type Book, firstFree, type Given, pagesToRead, pagesToWrite, type Scope } from "./scope.ts";

/** One wish as the search sees it: a scope, and the ports that would do. */
export interface Claim {
  readonly scope: Scope;
  /** What was asked for and is permitted; one port for a fixed claim. Never empty. */
  readonly candidates: PortSet;
  /** Where among the candidates to begin; the search goes round. */
  readonly from: number;
  /** Tried before all others. */
  readonly preferred: number | undefined;
}

/** A claim in one try: what it must heed, and where to note what it gets. */
export interface Seat<C extends Claim> {
  readonly claim: C;
  readonly reads: readonly Given[];
  readonly writes: readonly Given[];
}

/** The claims with their pages of one book. */
export function seatsOf<C extends Claim>(claims: readonly C[]): readonly Seat<C>[] {
  const book: Book = new Map();
  return claims.map((claim) => ({
    claim,
    reads: pagesToRead(book, claim.scope),
    writes: pagesToWrite(book, claim.scope),
  }));
}

/** Whether the port is neither held nor given away. */
export function isFree({ claim, reads }: Seat<Claim>, port: number): boolean {
  return firstFree(claim.scope.held, reads, port) === port;
}

/**
 * The claim's free ports from `from` on and then round. Finding the next one takes logarithmic time however full the
 * scope is.
 */
export function* freePorts({ claim, reads }: Seat<Claim>, from: number): Generator<number, undefined, undefined> {
  const { candidates, scope } = claim;
  for (const { start, end } of candidates.ranges) yield* freeIn(scope, reads, Math.max(start, from), end);
  for (const { start, end } of candidates.ranges) yield* freeIn(scope, reads, start, Math.min(end, from - 1));
}

function* freeIn({ held }: Scope, given: readonly Given[], start: number, end: number): Generator<number> {
  if (start > end) return;
  for (let port = firstFree(held, given, start); port <= end; port = firstFree(held, given, port + 1)) yield port;
}
