import { inject } from "vitest";
import { type Berth, berthAt, type Place } from "./berth.testing.ts";
import { claim } from "./claim.testing.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** As many as workers. */
    berths: readonly Place[];
  }
}

const CLAIM_WITHIN_MS = 60_000;
const CLAIM_EVERY_MS = 20;

/**
 * A Berth that this file has for itself: a first start takes seconds, so that files have them one after the other, and each leaves it empty
 * but for `busybox:latest`. Not by `VITEST_POOL_ID`: two files that run at once may have the same.
 */
export function sharedBerth(): Berth {
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (const end = Date.now() + CLAIM_WITHIN_MS; Date.now() < end; Atomics.wait(sleeper, 0, 0, CLAIM_EVERY_MS)) {
    const free = inject("berths").find(({ instance }) => claim(`berth-${instance}`));
    if (free !== undefined) return berthAt(free);
  }
  throw new Error("other files do not give up their Berths");
}
