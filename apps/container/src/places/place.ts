import type { PlaceGrant, PlacePorts } from "@berth/directory-domain";
import type { Actor } from "../engine/actor.ts";

/** What to take. */
export interface PlaceRequest extends Pick<PlaceGrant, "name" | "size"> {
  /** The directory's id of the user who gets it. */
  readonly user: string;
  readonly ports: readonly PlacePorts[];
  /** For how many seconds; until it is given back if undefined. */
  readonly seconds: number | undefined;
  /** The fleet's number for it; undefined for one that was taken on this host alone. */
  readonly grant: number | undefined;
  /** The uid of the Pod under whose control group it is; undefined where Kubernetes did not choose this host. */
  readonly pod: string | undefined;
}

/**
 * A share of this host for one user, until it is given back or its time is over. `id` is the owner of everything in it. It is `taken`
 * until its ports and its control group are there, `ready` to be used, and `ending` while what is in it is removed.
 */
export interface Place extends Omit<PlaceRequest, "seconds" | "pod">, PlaceGrant {
  readonly ports: readonly PlacePorts[];
  readonly login: string;
  readonly state: "taken" | "ready" | "ending";
  /** RFC 3339, UTC. */
  readonly since: string;
  readonly until: string | undefined;
  /** The control group of its Pod, which is not Berth's to make or to remove: `kubepods/pod…`. */
  readonly podGroup: string | undefined;
}

/** Why nothing is done with a place that is not there or ends. */
export function gone(id: string): string {
  return `place ${id} is not on this host, or has ended: nothing starts in it`;
}

/** The places that survive a restart. */
export interface PlaceStore {
  load(): Promise<readonly Place[]>;
  /** Writes the place, or what has changed of it. */
  save(place: Place): Promise<void>;
  delete(id: string): Promise<void>;
}

/** The places of this host, as routes use them. */
export interface Places {
  all(): readonly Place[];
  /** The user inside its place of that name. Throws `not-found`, and `invalid` for an administrator. */
  enter(actor: Actor, name: string): Actor;
  /**
   * Takes a place. Throws `conflict` if the user has one of that name, if the host has no room for it or somebody has one of its ports,
   * and `forbidden` with the whole explanation if the user may not have it.
   */
  take(request: PlaceRequest): Promise<Place>;
  /** Lets the place last so many seconds from now. Throws `not-found`, and `conflict` where that shortens it. */
  extend(id: string, seconds: number): Promise<Place>;
  /** Stops and removes everything in the place, then frees its room and ports. Throws `not-found`, and `conflict` while it is taken. */
  give(id: string): Promise<void>;
}
