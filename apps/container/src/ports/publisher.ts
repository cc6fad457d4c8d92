import type { PortAssignment } from "@berth/port-spec";
import type { ContainerId } from "../engine/ids.ts";
import { createElements, type Element } from "../networks/filter/elements.ts";
import type { Nft } from "../networks/filter/nft.ts";
import { PUBLISHED_SETS, tableCommands } from "../networks/filter/ruleset.ts";
import { forgetFlowsOf, forgetFlowsTo } from "./udp-flows.ts";

/** The way from host ports to containers, in the kernel. */
export interface Publisher {
  /** Opens the paths of one container to its address: one transaction, whose cost does not grow with what is published. */
  publish(containerId: ContainerId, assignments: readonly PortAssignment[], address: string): Promise<void>;
  /** Closes them; connections under way end. Idempotent. */
  unpublish(containerId: ContainerId): Promise<void>;
  /** Makes the kernel's paths exactly `wanted`, whatever there was: one transaction, so that no wanted path is closed meanwhile. */
  reset(
    wanted: ReadonlyMap<ContainerId, { readonly assignments: readonly PortAssignment[]; readonly address: string }>,
  ): Promise<void>;
}

/** @param table the instance's table, made by {@link tableCommands}. */
export function createPublisher(nft: Nft, table: string): Publisher {
  const elements = createElements<ContainerId>(nft, table, { prepare: tableCommands(table), sets: PUBLISHED_SETS });
  const addresses = new Map<ContainerId, string>();
  return {
    publish: async (containerId, assignments, address) => {
      await elements.put(new Map([[containerId, elementsOf(assignments, address)]]));
      addresses.set(containerId, address);
      await forgetFlowsTo(assignments);
    },
    unpublish: async (containerId) => {
      const gone = elements.of(containerId);
      await elements.remove([containerId]);
      const address = addresses.get(containerId);
      addresses.delete(containerId);
      // A UDP client that goes on sending would keep its way to an address that is gone.
      if (address !== undefined && gone.some(({ key }) => key.includes("udp . "))) await forgetFlowsOf(address);
    },
    reset: async (wanted) => {
      addresses.clear();
      for (const [containerId, { address }] of wanted) addresses.set(containerId, address);
      await elements.reset(
        new Map([...wanted].map(([id, { assignments, address }]) => [id, elementsOf(assignments, address)])),
      );
      await forgetFlowsTo([...wanted.values()].flatMap(({ assignments }) => assignments));
    },
  };
}

/** IPv4 alone: what comes over IPv6 arrives at the held socket. */
function elementsOf(assignments: readonly PortAssignment[], address: string): readonly Element[] {
  return assignments
    .filter(({ hostIp }) => !hostIp.includes(":"))
    .map(({ hostIp, hostPort, protocol, containerPort }) => {
      const key = `${protocol} . ${hostPort}`;
      const value = `${address} . ${containerPort}`;
      return hostIp === "0.0.0.0"
        ? { family: "ip", set: "ports", key, value }
        : { family: "ip", set: "addresses", key: `${hostIp} . ${key}`, value };
    });
}
