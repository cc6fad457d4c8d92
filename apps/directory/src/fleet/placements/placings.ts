import type { Amount, TakeFault } from "../ledger.ts";
import type { PlaceWish } from "../place.ts";

/** A place whose host is still being chosen takes its user's room already; it becomes a place only by `settle`. */
export interface Placings {
  /** Takes a name and amounts for a place that has no host yet: its id, or what is in the way. */
  reserve(wish: PlaceWish, amounts: readonly Amount[]): Promise<number | Extract<TakeFault, "room" | "name">>;
  /**
   * Makes it a place on a host, whose room and ports it takes by one statement: all of it or nothing.
   *
   * @returns `gone` if it was cancelled meanwhile.
   */
  settle(actor: number, id: number, at: Site, wish: PlaceWish): Promise<"settled" | "gone" | TakeFault>;
  /** Gives up a place that is not settled. */
  cancel(id: number): Promise<void>;
  /** Gives up those that a directory left behind which ended meanwhile. */
  cancelAbandoned(): Promise<void>;
  /** The rows that have, or may have, a Pod, by their ids. */
  rows(ids?: readonly number[]): Promise<ReadonlyMap<number, PodRow>>;
  /** Lets a place end whose Pod is gone. */
  lose(id: number): Promise<void>;
}

/** Where a place is. */
export interface Site {
  readonly host: string;
  readonly pod: string;
}

export interface PodRow {
  readonly state: "placing" | "wanted" | "ready" | "ending";
  /** The uid of its Pod; undefined where it has none, or none yet. */
  readonly pod: string | undefined;
}

/** A place is settled long before, or its directory is gone. */
export const ABANDONED_SECONDS = 120;
