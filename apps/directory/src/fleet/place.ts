import type { PlacePorts, PlaceSize } from "@berth/directory-domain";

/** A share of one host for one user: `wanted` until its host has it, `ready` to be used, `ending` until nothing of it is left there. */
export interface FleetPlace {
  readonly id: number;
  readonly name: string;
  readonly userId: number;
  readonly host: string;
  readonly size: PlaceSize;
  readonly ports: readonly PlacePorts[];
  readonly state: "wanted" | "ready" | "ending";
  readonly since: string;
  /** Seconds that are left of its time; undefined where it lasts until it is given back. */
  readonly secondsLeft: number | undefined;
  /** The containers in it, as its host last reported. */
  readonly containers: number;
  /** The uid of its Pod, under whose control group its host runs it; undefined where Kubernetes did not choose the host. */
  readonly pod: string | undefined;
}

/** What to take. */
export interface PlaceWish extends Pick<FleetPlace, "name" | "userId" | "size" | "ports"> {
  /** The host that the user named. */
  readonly host: string | undefined;
  readonly seconds: number | undefined;
}

/** A host of the fleet, with what its places leave of it. */
export interface FleetHost {
  readonly name: string;
  /** Where Docker clients reach it, such as `tcp://h1.example.test:2375`. */
  readonly address: string;
  readonly memory: number;
  readonly cpu: number;
  readonly free: { readonly memory: number; readonly cpu: number };
  readonly places: number;
  readonly isDraining: boolean;
  /** Whether it was heard of just now; otherwise nobody gets a place there. */
  readonly isAlive: boolean;
  readonly seenAt: string;
}

/** A host port that somebody has, with words for who. */
export interface PortHolder extends PlacePorts {
  readonly host: string;
  readonly holder: string;
}

/**
 * A host unseen for so long gets no places and may be forgotten. It lets nobody into its own by then: it waits 15 seconds for an answer to
 * a report, and its lease ends 15 seconds after the answer.
 */
export const UNSEEN_SECONDS = 30;
