import type { WantedPlace } from "../engine/fleet-report.ts";
import type { Place } from "../places/place.ts";

/** What makes a host's places those that it has to have. */
export interface Plan {
  readonly take: readonly WantedPlace[];
  readonly extend: readonly { readonly id: string; readonly seconds: number }[];
  /** Ids of places that it should not have. */
  readonly give: readonly string[];
}

/** What the time of a place may fall short by rounding. */
const TOLERANCE_SECONDS = 0.5;

/** The seconds that are left of a place at the moment `now`; undefined where it lasts until it is given back. */
export function secondsLeft({ until }: Pick<Place, "until">, now: number): number | undefined {
  return until === undefined ? undefined : Math.max(0, (Date.parse(until) - now) / 1_000);
}

/**
 * Compares what a host has to have with what it has.
 *
 * @param places of the fleet alone.
 * @param taking the grants that it is just taking.
 */
export function planOf(
  wanted: readonly WantedPlace[],
  places: readonly Place[],
  taking: ReadonlySet<number>,
  now: number,
): Plan {
  const known = new Map(places.map((place) => [place.grant, place]));
  const ids = new Set<number | undefined>(wanted.map(({ grant }) => grant));
  return {
    take: wanted.filter(({ grant }) => !known.has(grant) && !taking.has(grant)),
    extend: wanted.flatMap(({ grant, secondsLeft: seconds }) => {
      const place = known.get(grant);
      const left = place?.state === "ready" ? secondsLeft(place, now) : undefined;
      const isShort = left !== undefined && seconds !== undefined && left + TOLERANCE_SECONDS < seconds;
      return place !== undefined && isShort ? [{ id: place.id, seconds }] : [];
    }),
    give: places.filter(({ grant, state }) => state === "ready" && !ids.has(grant)).map(({ id }) => id),
  };
}
