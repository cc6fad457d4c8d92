import type { PlacePorts, PlaceSize } from "@berth/directory-domain";

/** What this host has of the fleet's places at one moment, and which it could not take. */
export interface PlacesReport {
  /** The number that the last answer gave; undefined before the first. */
  readonly turn: number | undefined;
  readonly address: string;
  /** What the host has for the fleet. */
  readonly size: Pick<PlaceSize, "memory" | "cpu">;
  readonly places: readonly {
    readonly grant: number;
    readonly state: "taken" | "ready" | "ending";
    /** Undefined where it lasts until it is given back. */
    readonly secondsLeft: number | undefined;
    readonly containers: number;
  }[];
  readonly refused: readonly { readonly grant: number; readonly reason: string }[];
}

/** A place that this host has to have. */
export interface WantedPlace {
  readonly grant: number;
  readonly name: string;
  readonly user: string;
  readonly size: PlaceSize;
  readonly ports: readonly PlacePorts[];
  readonly secondsLeft: number | undefined;
  /** The uid of its Pod; undefined where Kubernetes did not choose this host. */
  readonly pod: string | undefined;
}

/** The answer to a report: it counts, or another one overtook it, or the host was given up and has to end all places before it counts. */
export type PlacesAnswer =
  | { readonly outcome: "accepted"; readonly turn: number; readonly places: readonly WantedPlace[] }
  | { readonly outcome: "stale"; readonly turn: number }
  | { readonly outcome: "unknown" };

/**
 * Reports to the fleet's directory, which waits with its answer for a change. Throws `unavailable` if it cannot be asked now, or does not
 * let this host report.
 */
export type ReportPlaces = (report: PlacesReport, signal: AbortSignal) => Promise<PlacesAnswer>;
