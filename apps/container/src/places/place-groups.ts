import { EngineError } from "../engine/errors.ts";
import type { Log } from "../engine/log.ts";
import { groupOf } from "../engine/place-group.ts";
import type { Place, PlaceRequest } from "./place.ts";

/** How often a Pod's control group is looked for that a reboot took. */
const POD_AGAIN_MS = 2_000;

/** The host's control groups. */
export interface ControlGroups {
  /** Makes one with limits. */
  limit(name: string, limits: { readonly memory: number; readonly cpus: number; readonly pids: number }): Promise<void>;
  /** Removes one with all that runs in it. */
  remove(name: string): Promise<void>;
  exists(name: string): boolean;
  /** The one that a Pod has on this host, by its uid; undefined if it has none. */
  ofPod(uid: string): Promise<string | undefined>;
}

interface Options {
  readonly instance: string;
  readonly groups: ControlGroups;
  readonly log: Log;
}

/** The control groups of places. A place that Kubernetes put here has its own below that of its Pod, which the kubelet makes and removes. */
export class PlaceGroups {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** @throws `conflict` where the Pod of the place does not run on this host. */
  async podGroupOf({ pod }: PlaceRequest): Promise<string | undefined> {
    if (pod === undefined) return undefined;
    const group = await this.#options.groups.ofPod(pod);
    if (group !== undefined) return group;
    throw new EngineError(
      "conflict",
      `this host has no control group of the Pod ${pod}: does its kubelet run it here?`,
    );
  }

  nameOf({ id, podGroup }: Pick<Place, "id" | "podGroup">): string {
    return groupOf(this.#options.instance, id, podGroup);
  }

  /** The group in which something starts. Throws `conflict` where its Pod is gone: one made anew would be outside of any Pod. */
  enter(place: Place): string {
    const name = this.nameOf(place);
    if (place.podGroup === undefined || this.#options.groups.exists(name)) return name;
    throw new EngineError("conflict", `the Pod of place ${place.name} is not on this host: nothing starts in it`);
  }

  async bound(place: Place): Promise<void> {
    const { memory, cpu, pids } = place.size;
    await this.#options.groups.limit(this.nameOf(place), { memory, cpus: cpu, pids });
  }

  /** Bounds a place again after a restart, once the kubelet has its Pod again. */
  async boundAgain(place: Place, isStillThere: () => boolean): Promise<void> {
    const { groups, log } = this.#options;
    if (place.podGroup === undefined || groups.exists(place.podGroup)) return await this.bound(place);
    const later = () => {
      if (!isStillThere()) return;
      this.boundAgain(place, isStillThere).catch((fault: unknown) => {
        log.error({ place: place.id, err: fault }, "failed to bound a place; trying again");
        setTimeout(later, POD_AGAIN_MS).unref();
      });
    };
    setTimeout(later, POD_AGAIN_MS).unref();
  }

  async remove(place: Place): Promise<void> {
    await this.#options.groups.remove(this.nameOf(place));
  }
}
