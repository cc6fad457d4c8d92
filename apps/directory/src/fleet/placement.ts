import type { FleetHost, PlaceWish } from "./place.ts";

/** Chooses hosts for places. What it says is a proposal: the ledger alone grants. */
export interface Placement {
  /** The name of the host to take the place on; undefined where none will do. */
  choose(wish: PlaceWish, hosts: readonly FleetHost[]): Promise<string | undefined>;
}

/** The host that the user named. */
export const NAMED: Placement = {
  choose: async ({ host }, hosts) => hosts.find(({ name }) => name === host)?.name,
};
