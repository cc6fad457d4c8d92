import type { Opened } from "@berth/service-kit";
import type { Config } from "./config.ts";
import type { Containers } from "./containers/containers.ts";
import type { Log } from "./engine/log.ts";
import { FleetFollower } from "./fleet/follower.ts";
import type { Host } from "./host/host.ts";
import type { Lease } from "./places/lease.ts";
import type { HostPlaces } from "./places/places-service.ts";
import type { OwnToken } from "./policy/open-directory.ts";

interface Parts {
  readonly config: Pick<Config, "fleetAddress">;
  readonly log: Log;
  readonly opened: Opened;
  readonly directory: Pick<OwnToken, "reportPlaces">;
  readonly places: HostPlaces;
  readonly lease: Lease;
  readonly containers: Pick<Containers, "countIn">;
  readonly host: Pick<Host, "facts">;
}

/** Makes this host one of the directory's fleet, if it has an address there. */
export function followFleet({ config, log, opened, directory, places, lease, containers, host }: Parts): void {
  const { fleetAddress: address } = config;
  if (address === undefined) return;
  const follower = new FleetFollower({
    ...{ address, places, lease, log },
    host: { memory: host.facts.memory, cpu: host.facts.cpus },
    countIn: (place) => containers.countIn(place),
    report: directory.reportPlaces,
  });
  opened.keep(follower, (one) => one.close());
}
