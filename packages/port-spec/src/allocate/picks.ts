import { firstOutside } from "../spec/port-set.ts";
import type { OpenWish } from "./open-wish.ts";
import type { Scope } from "./scope.ts";

/**
 * The ports picked in one attempt to assign all wishes. Finding the next free port takes logarithmic time, however many
 * ports are held or picked.
 */
export class Picks {
  /** By key of a scope: each picked port points to the next port worth trying. */
  readonly #next = new Map<string, Map<number, number>>();

  /** Records that the port is bound in the scope. */
  add(scope: Scope, port: number): void {
    for (const key of scope.recordedAs) {
      let picked = this.#next.get(key);
      if (picked === undefined) {
        picked = new Map();
        this.#next.set(key, picked);
      }
      picked.set(port, port + 1);
    }
  }

  /** Whether the port is neither held nor picked. */
  isFree(scope: Scope, port: number): boolean {
    return this.#firstFree(scope, port) === port;
  }

  /** The free candidates of the wish from a port on, then those before it. */
  *freePorts({ scope, candidates }: OpenWish<unknown>, from: number): Generator<number, undefined, undefined> {
    for (const { start, end } of candidates.ranges) yield* this.#freeIn(scope, Math.max(start, from), end);
    for (const { start, end } of candidates.ranges) yield* this.#freeIn(scope, start, Math.min(end, from - 1));
  }

  *#freeIn(scope: Scope, start: number, end: number): Generator<number> {
    if (start > end) return;
    for (let port = this.#firstFree(scope, start); port <= end; port = this.#firstFree(scope, port + 1)) yield port;
  }

  /** The first port from `from` on that is neither held nor picked; may be past 65535. */
  #firstFree({ held, excludedBy }: Scope, from: number): number {
    let port = from;
    for (;;) {
      let next = port;
      for (const set of held) next = firstOutside(set, next);
      for (const key of excludedBy) next = skipPicked(this.#next.get(key), next);
      if (next === port) return port;
      port = next;
    }
  }
}

/** Follows the pointers to a port that has none, and shortens them for the next time. */
function skipPicked(picked: Map<number, number> | undefined, from: number): number {
  if (picked === undefined) return from;
  const passed: number[] = [];
  let end = from;
  for (let next = picked.get(end); next !== undefined; next = picked.get(end)) {
    passed.push(end);
    end = next;
  }
  for (const port of passed) picked.set(port, end);
  return end;
}
