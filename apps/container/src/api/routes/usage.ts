import type { Containers } from "../../containers/containers.ts";
import type { Actor } from "../../engine/actor.ts";
import { noFilters } from "../../engine/filters.ts";

/** Sees every container, whatever the actor: an object in use must not be removed. */
const EVERYONE: Actor = { kind: "administrator", id: undefined, login: "berth" };

/** Images and volumes in use, which must not be removed. */
export interface Usage {
  readonly images: ReadonlyMap<string, { readonly containerId: string; readonly running: boolean }>;
  /** The containers that use an image, by its id. */
  readonly usersOf: (imageId: string) => readonly string[];
  /** How many containers use a volume, by its mountpoint. */
  readonly volumeCounts: ReadonlyMap<string, number>;
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Collects the usage from the records of all containers, or of those that `actor` sees. */
export async function readUsage(containers: Pick<Containers, "list">, actor: Actor = EVERYONE): Promise<Usage> {
  const views = await containers.list(actor, { all: true, limit: undefined, size: false, filters: noFilters });
  const images = new Map<string, { readonly containerId: string; readonly running: boolean }>();
  const imageContainers = new Map<string, string[]>();
  const volumeCounts = new Map<string, number>();
  for (const { container } of views) {
    const running = ["running", "paused", "restarting"].includes(container.state.status);
    // Docker's error names a running container first.
    for (const imageId of [container.imageId, ...container.mounts.flatMap(({ image }) => image?.id ?? [])])
      if (running || !images.has(imageId)) images.set(imageId, { containerId: container.id, running });
    imageContainers.set(container.imageId, [...(imageContainers.get(container.imageId) ?? []), container.id]);
    for (const { type, source } of container.mounts) if (type === "volume") count(volumeCounts, source);
  }
  return { images, usersOf: (imageId) => imageContainers.get(imageId) ?? [], volumeCounts };
}
