import { portSet } from "@berth/port-spec";
import type { Opened } from "@berth/service-kit";
import type { Config } from "./config.ts";
import type { Database } from "./db/database.ts";
import { createLeaseStore } from "./db/lease-store.ts";
import { createNetworkStore } from "./db/network-store.ts";
import { createReservationStore } from "./db/reservation-store.ts";
import type { Log } from "./engine/log.ts";
import { engineId } from "./host/engine-id.ts";
import { runCommand } from "./networks/command.ts";
import type { Nft } from "./networks/filter/nft.ts";
import { HostFirewalls } from "./networks/firewalls/host-firewalls.ts";
import { watchRules } from "./networks/firewalls/watch-rules.ts";
import { BridgeNetworks } from "./networks/networks-service.ts";
import { readKernelPorts } from "./ports/kernel-ports.ts";
import { HostPorts } from "./ports/ports-service.ts";

/** Networks and ports of this host. */
export async function openNetworking(
  config: Config,
  log: Log,
  { db, nft }: { readonly db: Database; readonly nft: Nft },
  opened: Opened,
) {
  const { instance, subnet, subnet6, poolSize } = config;
  const common = { instance, nft, log };
  const firewalls = opened.keep(
    new HostFirewalls({ instance, run: runCommand, log, watch: (changed) => watchRules(instance, changed) }),
    { close: (firewalls) => firewalls.close(), teardown: (firewalls) => firewalls.remove() },
  );
  const networks = opened.keep(
    new BridgeNetworks({
      ...{ ...common, subnet, subnet6, poolSize },
      store: createNetworkStore(db),
      hostId: await engineId(config.stateDir),
      admit: (bridges) => firewalls.admit(bridges),
    }),
    (networks) => networks.close(),
  );
  const kernel = await readKernelPorts();
  const ports = opened.keep(
    new HostPorts({
      ...common,
      store: createLeaseStore(db),
      reservations: createReservationStore(db),
      kernel: config.defaultHostIp === undefined ? kernel : { ...kernel, anyAddress: [config.defaultHostIp] },
      ...(config.dynamicPorts === undefined ? {} : { dynamic: portSet(config.dynamicPorts) }),
    }),
    (ports) => ports.close(),
  );
  return { networks, ports, warnings: () => firewalls.warnings };
}
