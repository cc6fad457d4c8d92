import { isEngineError } from "../../engine/errors.ts";
import { noFilters } from "../../engine/filters.ts";
import type { ContainerId } from "../../engine/ids.ts";
import { viewerOf } from "../../engine/owners.ts";
import type { Context } from "../context.ts";
import type { Container } from "../records/container.ts";
import { isRunning } from "../records/state.ts";
import type { StorageMeasure } from "./storage.ts";

/** What a place counts that cannot be measured, such as a tree too deep to walk: nobody gains by making one. */
const UNMEASURABLE = 2 ** 50;

interface Size {
  readonly bytes: number;
  readonly grew: boolean;
}

type Surroundings = Pick<Context, "registry" | "runtime" | "volumes" | "log"> & {
  /** Throws `full` while the disk is down to its reserve. */
  readonly assertRoom: () => Promise<void>;
  /** Bytes of the owner's images and build cache. */
  readonly ofBuilds: (owner: string) => number;
};

/**
 * Measures what each owner's containers and volumes take of the disk, and keeps the numbers by container and volume, so that a removal
 * counts at once. Layers of everyone's images count for nobody.
 */
export class StorageMeter implements StorageMeasure {
  readonly #context: Surroundings;
  readonly assertRoom: () => Promise<void>;
  /** By container id and by the mountpoint of a volume. */
  readonly #sizes = new Map<string, Size>();
  readonly #written = new Set<string>();

  constructor(context: Surroundings) {
    this.#context = context;
    this.assertRoom = context.assertRoom;
  }

  of(owner: string): number {
    const places = [
      ...this.#containers(owner).map(({ id }) => id),
      ...this.#volumes(owner).map((one) => one.mountpoint),
    ];
    return places.reduce((sum, place) => sum + (this.#sizes.get(place)?.bytes ?? 0), this.#context.ofBuilds(owner));
  }

  wrote(owner: string): void {
    this.#written.add(owner);
  }

  changing(): readonly string[] {
    const running = this.#context.registry.all().flatMap(({ owner, state }) => (isRunning(state) ? [owner] : []));
    return [...new Set([...this.#written, ...running])].filter((owner) => owner !== undefined);
  }

  async measure(owner: string): Promise<readonly ContainerId[]> {
    this.#written.delete(owner);
    const { runtime, volumes } = this.#context;
    const containers = this.#containers(owner);
    for (const volume of this.#volumes(owner)) await this.#take(volume.mountpoint, () => volumes.diskUsage(volume));
    for (const { id } of containers) await this.#take(id, () => runtime.diskUsage(id));
    this.#forgetRemoved();
    return containers.filter((container) => this.#writes(container)).map(({ id }) => id);
  }

  async #take(place: string, measured: () => Promise<number>): Promise<void> {
    const before = this.#sizes.get(place)?.bytes;
    try {
      const bytes = await measured();
      this.#sizes.set(place, { bytes, grew: before !== undefined && bytes > before });
    } catch (fault) {
      // It has been removed.
      if (isEngineError(fault, "not-found")) return;
      this.#context.log.warn({ place, err: fault }, "failed to measure storage");
      this.#sizes.set(place, { bytes: UNMEASURABLE, grew: true });
    }
  }

  #writes({ id, state, mounts }: Container): boolean {
    if (!isRunning(state)) return false;
    const written = mounts.filter(({ type, readWrite }) => type === "volume" && readWrite).map(({ source }) => source);
    return [id, ...written].some((place) => this.#sizes.get(place)?.grew === true);
  }

  #forgetRemoved(): void {
    const { registry, volumes } = this.#context;
    for (const place of this.#sizes.keys())
      if (registry.get(place as ContainerId) === undefined && volumes.at(place) === undefined)
        this.#sizes.delete(place);
  }

  #containers(owner: string): readonly Container[] {
    return this.#context.registry.all().filter((container) => container.owner === owner);
  }

  #volumes(owner: string) {
    return this.#context.volumes.list(noFilters, new Set(), viewerOf(owner));
  }
}
