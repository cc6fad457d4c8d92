import { inject } from "vitest";
import { type Berth, berthAt, type Place } from "./berth.testing.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** One for each worker. */
    berths: readonly Place[];
  }
}

/** The Berth that this worker's files share, since a first start takes seconds. Each leaves it empty but for `busybox:latest`. */
export function sharedBerth(): Berth {
  const worker = Number(process.env.VITEST_POOL_ID);
  const place = inject("berths")[worker - 1];
  if (place === undefined) throw new Error(`there is no Berth for worker ${worker}`);
  return berthAt(place);
}
