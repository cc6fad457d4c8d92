import type { FleetPlace } from "./place.ts";

/** A place as its host has it. */
export interface ReportedPlace {
  readonly grant: number;
  readonly state: "taken" | "ready" | "ending";
  /** By the host's clock; null where it lasts until it is given back. */
  readonly secondsLeft: number | null;
  readonly containers: number;
}

/** What a host has of the fleet's places, and what it could not take. */
export interface HostReport {
  /** The number that the last answer gave; null for the first report of a service. */
  readonly turn: number | null;
  readonly places: readonly ReportedPlace[];
  readonly refused: readonly { readonly grant: number; readonly reason: string }[];
}

/** What follows from a report, by the ids of places. */
export interface Plan {
  readonly ready: readonly number[];
  readonly ending: readonly number[];
  /** Nothing of them is left on the host, so that their room comes back. */
  readonly gone: readonly { readonly id: number; readonly reason: string | undefined }[];
}

/** What a host's report says of the places that it was given. Places that are not its own are not in `places`. */
export function planOf(places: readonly FleetPlace[], report: HostReport): Plan {
  const reported = new Map(report.places.map((one) => [one.grant, one]));
  const refused = new Map(report.refused.map(({ grant, reason }) => [grant, reason]));
  const isAbsent = ({ id, state, secondsLeft }: FleetPlace) =>
    !reported.has(id) && (state !== "wanted" || refused.has(id) || (secondsLeft ?? 1) <= 0);
  return {
    ready: places.flatMap(({ id, state }) => (state === "wanted" && reported.get(id)?.state === "ready" ? [id] : [])),
    ending: places.flatMap(({ id, state }) => (state !== "ending" && reported.get(id)?.state === "ending" ? [id] : [])),
    gone: places.filter(isAbsent).map(({ id }) => ({ id, reason: refused.get(id) })),
  };
}

/** What a host's seconds may fall short of the ledger's by rounding. */
const TOLERANCE_SECONDS = 0.5;

/** Whether a host has what it has to have, no longer and no shorter than it should, so that it may wait for news. */
export function isSettled(wanted: readonly FleetPlace[], { places }: HostReport): boolean {
  const reported = new Map(places.map((one) => [one.grant, one]));
  const isThere = ({ id, secondsLeft = Number.POSITIVE_INFINITY }: FleetPlace) => {
    const left = reported.get(id)?.secondsLeft;
    return left !== undefined && (left ?? Number.POSITIVE_INFINITY) + TOLERANCE_SECONDS >= secondsLeft;
  };
  const ids = new Set(wanted.map(({ id }) => id));
  return wanted.every(isThere) && places.every(({ grant, state }) => state === "ending" || ids.has(grant));
}
