import type { PortSet } from "./port-set.ts";
import { firstFree, type Given, type Scope } from "./scope.ts";

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

/** The last candidate. */
export function lastCandidate(claim: Claim): number {
  return claim.candidates.ranges.at(-1)?.end ?? 0;
}

/**
 * The claim's free ports from `from` on and then round. Finding the next one takes logarithmic time however full the
 * scope is.
 */
export function* freePorts(claim: Claim, given: Given, from: number): Generator<number, void, undefined> {
  const { ranges } = claim.candidates;
  for (const { start, end } of ranges) yield* freeIn(claim.scope, given, Math.max(start, from), end);
  for (const { start, end } of ranges) yield* freeIn(claim.scope, given, start, Math.min(end, from - 1));
}

function* freeIn(scope: Scope, given: Given, start: number, end: number): Generator<number, void, undefined> {
  if (start > end) return;
  for (let port = firstFree(scope, given, start); port <= end; port = firstFree(scope, given, port + 1)) yield port;
}
