import type { PlaceWish } from "../place.ts";

/** A place's Pod, as Kubernetes has it. */
export interface Pod {
  /** The place's id, which its name carries. */
  readonly id: number;
  /** Kubernetes' own: another Pod of the same name has another one. */
  readonly uid: string;
  /** The Node that the scheduler chose. */
  readonly host: string | undefined;
  readonly state: PodState;
  /** How many seconds its process has since the Pod was deleted; undefined before. */
  readonly grace: number | undefined;
}

export type PodState =
  | { readonly kind: "waiting" }
  /** The scheduler finds no Node now, with its reason. */
  | { readonly kind: "unschedulable"; readonly reason: string }
  /** Its Node cannot run it, for want of the image for instance. */
  | { readonly kind: "failing"; readonly reason: string }
  | { readonly kind: "running" }
  /** It was deleted, evicted or rejected by its Node. */
  | { readonly kind: "leaving"; readonly reason: string };

/** The Pods of this fleet's places. Every call has a deadline, and throws `unavailable` where Kubernetes does not answer or refuses. */
export interface Pods {
  /** Makes the Pod of a place, to be run on one of the hosts. */
  create(id: number, wish: PlaceWish, hosts: readonly string[]): Promise<void>;
  get(id: number): Promise<Pod | undefined>;
  all(): Promise<readonly Pod[]>;
  /**
   * Deletes the Pod of a place of which nothing is left. One that is gone is none.
   *
   * @param pod as it was seen; another one of its name is not deleted.
   */
  delete(id: number, pod?: Pod): Promise<void>;
  /** Tells of each Pod that changes, and of gaps after which any may have changed, until the signal aborts. */
  follow(listener: PodListener, signal: AbortSignal): Promise<void>;
}

export interface PodListener {
  changed(id: number): void;
  /** Nothing is missed from now on. */
  connected(): void;
  failed(fault: unknown): void;
}

/** What waits for a Pod hears of its changes by. */
export function podTopic(id: number): string {
  return `pod/${id}`;
}
