import type { EffectiveConstraints } from "@berth/directory-domain";
import type { Ledger } from "./ledger.ts";
import type { PlaceWish } from "./place.ts";
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

/** Finds a host for a place and lets the ledger, which alone grants, grant it there. */
export interface Placement {
  /** Whether it finds hosts without the user, so that it can find another one where the first declines. */
  readonly choosesHosts: boolean;
  /**
   * Grants a place on one of the hosts that have not declined.
   *
   * @param declined why each of the others did, by their names.
   * @throws `forbidden` with the whole explanation where the user may not have the place; `conflict` where no host will do, with what each
   * has free; `unavailable` where what chooses hosts is away. Nothing is kept then.
   */
  grant(
    fleet: Fleet,
    asker: Asker,
    wish: PlaceWish,
    declined: ReadonlyMap<string, string>,
  ): Promise<Granted | Declined>;
}

/** A place that is its user's, and that its host is told to have. */
export interface Granted {
  readonly id: number;
  readonly host: string;
}

/** Why a host did not get the place; another one may. */
export interface Declined {
  readonly host: string;
  readonly reason: string;
}
