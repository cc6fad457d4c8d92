import { databaseFault } from "@berth/service-kit";
import { eq, inArray } from "drizzle-orm";
import { EngineError } from "../engine/errors.ts";
import type { ContainerId } from "../engine/ids.ts";
import type { NetworkStore } from "../networks/store.ts";
import { type Database, withOutages } from "./database.ts";
import { NETWORK_ROW, SANDBOX_ROW } from "./rows/network-row.ts";
import { readColumns, versionOf } from "./rows/row-kind.ts";
import { containers, networks, sandboxes } from "./schema.ts";

/** The networks' and sandboxes' rows. A taken network name is a `conflict`, said by the unique index. */
export function createNetworkStore(db: Database): NetworkStore {
  return withOutages({
    load: async () => {
      const found = await db
        .select({
          sandbox: sandboxes,
          containerName: containers.name,
          owner: containers.owner,
          hostServices: containers.hostServices,
        })
        .from(sandboxes)
        .leftJoin(containers, eq(containers.id, sandboxes.containerId));
      return {
        networks: (await db.select().from(networks)).map((row) => readColumns(NETWORK_ROW, row.id, row).network),
        sandboxes: found.map(({ sandbox, containerName, owner, hostServices }) => {
          const { endpoints, nameservers } = readColumns(SANDBOX_ROW, sandbox.containerId, sandbox);
          return {
            containerId: sandbox.containerId as ContainerId,
            // A build has no row among the containers.
            containerName: containerName ?? "",
            owner: owner ?? undefined,
            hostServices: hostServices ?? false,
            path: sandbox.path,
            endpoints,
            nameservers: nameservers ?? undefined,
          };
        }),
      };
    },
    insertNetwork: async (network) => {
      try {
        await db.insert(networks).values({
          id: network.id,
          name: network.name,
          owner: network.owner ?? null,
          version: versionOf(NETWORK_ROW),
          network,
        });
      } catch (thrown) {
        if (databaseFault(thrown)?.constraint === "networks_name_key")
          throw new EngineError("conflict", `network with name ${network.name} already exists`);
        throw thrown;
      }
    },
    updateNetwork: async (network) => {
      const columns = { version: versionOf(NETWORK_ROW), network };
      await db.update(networks).set(columns).where(eq(networks.id, network.id));
    },
    deleteNetwork: async (id) => {
      await db.delete(networks).where(eq(networks.id, id));
    },
    saveSandbox: async ({ containerId, path, endpoints, nameservers = null }) => {
      const columns = { path, version: versionOf(SANDBOX_ROW), endpoints, nameservers };
      await db
        .insert(sandboxes)
        .values({ containerId, ...columns })
        .onConflictDoUpdate({ target: sandboxes.containerId, set: columns });
    },
    deleteSandboxes: async (containerIds) => {
      if (containerIds.length > 0) await db.delete(sandboxes).where(inArray(sandboxes.containerId, [...containerIds]));
    },
  });
}
