import type { Builds } from "../builds/builds.ts";
import type { Containers } from "../containers/containers.ts";
import type { Registry } from "../containers/records/registry.ts";
import { HOST_ADMINISTRATOR } from "../engine/actor.ts";
import { unlessAbsent } from "../engine/errors.ts";
import { noFilters } from "../engine/filters.ts";
import { viewerOf } from "../engine/owners.ts";
import type { Images } from "../images/images.ts";
import type { Networks } from "../networks/networks.ts";
import type { Volumes } from "../volumes/volumes.ts";

/** What removes the things of one owner. */
export interface ClearContext {
  readonly registry: Pick<Registry, "all">;
  readonly containers: Pick<Containers, "stop" | "remove">;
  readonly networks: Pick<Networks, "prune">;
  readonly volumes: Pick<Volumes, "prune">;
  readonly images: Pick<Images, "prune">;
  readonly builds: Pick<Builds, "forget">;
}

/** Ends the owner's builds, stops its containers by their own stop times, and removes those and all else that it has. Idempotent. */
export async function clearPlace(context: ClearContext, owner: string): Promise<void> {
  const { registry, containers, networks, volumes, images, builds } = context;
  await builds.forget(owner);
  const held = registry.all().filter((container) => container.owner === owner);
  await Promise.all(
    held.map(async ({ id }) => {
      await containers.stop(HOST_ADMINISTRATOR, id, {}).catch(unlessAbsent);
      await containers.remove(HOST_ADMINISTRATOR, id, { force: true, volumes: true }).catch(unlessAbsent);
    }),
  );
  const viewer = viewerOf(owner);
  await networks.prune(noFilters, viewer);
  await volumes.prune(noFilters, new Set(), { anonymousOnly: false, viewer });
  await images.prune({ filters: new Map([["dangling", ["false"]]]), inUse: new Set(), owner });
}
