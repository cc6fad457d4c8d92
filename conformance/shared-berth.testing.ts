import { inject } from "vitest";
import { type Berth, berthAt, type Place } from "./berth.testing.ts";

declare module "vitest" {
  interface ProvidedContext {
    berth: Place;
  }
}

/** The one Berth that files share, since a first start takes seconds. Each leaves it empty but for `busybox:latest`. */
export function sharedBerth(): Berth {
  return berthAt(inject("berth"));
}
