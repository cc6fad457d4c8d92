import type { EffectiveConstraints } from "@berth/directory-domain";
import type { Ledger } from "./ledger.ts";
import type { Placement } from "./placement.ts";
import type { Signals } from "./signals.ts";

/** What the use cases of the fleet depend on. */
export interface Fleet {
  readonly ledger: Ledger;
  readonly signals: Signals;
  readonly placement: Placement;
  readonly effectiveOf: (userId: number) => Promise<{ readonly effective: EffectiveConstraints }>;
}

/** Who asks. */
export interface Asker {
  readonly userId: number;
  readonly role: "user" | "operator" | "admin";
}
