import type { Config } from "./config.ts";
import type { Registry } from "./containers/records/registry.ts";
import type { Database } from "./db/database.ts";
import { createPlaceStore } from "./db/place-store.ts";
import type { HostDefaults } from "./engine/host-defaults.ts";
import { hasGroup, limitGroup, removeGroup } from "./host/control-groups.ts";
import type { HostFacts } from "./host/host.ts";
import { podGroup } from "./host/pod-group.ts";
import { Lease } from "./places/lease.ts";
import { HostPlaces, type PlacesOptions } from "./places/places-service.ts";
import type { HeldQuotas } from "./policy/held-quotas.ts";
import { assertPlaceAllowed } from "./policy/places.ts";
import type { HostPorts } from "./ports/ports-service.ts";

interface Surroundings extends Pick<PlacesOptions, "owners" | "askOwner" | "log"> {
  readonly config: Pick<Config, "instance">;
  readonly db: Database;
  readonly ports: HostPorts;
  readonly registry: Registry;
  readonly held: HeldQuotas;
  readonly facts: HostFacts;
  readonly host: HostDefaults;
}

/** Opens the places of this host, bounded again before anything starts in them. */
export async function openPlaces({
  config,
  db,
  ports,
  registry,
  held,
  facts,
  host,
  ...rest
}: Surroundings): Promise<{ readonly places: HostPlaces; readonly lease: Lease }> {
  const lease = new Lease();
  const places = new HostPlaces({
    ...rest,
    lease,
    instance: config.instance,
    ports,
    held,
    store: createPlaceStore(db),
    dynamic: ports.dynamic.ranges,
    host: { memory: facts.memory, cpu: facts.cpus },
    groups: { limit: limitGroup, remove: removeGroup, exists: hasGroup, ofPod: podGroup },
    assertAllowed: (user, request) =>
      assertPlaceAllowed(user, request, { everything: [...registry.all(), ...held.all()], host }),
  });
  await places.load();
  return { places, lease };
}
