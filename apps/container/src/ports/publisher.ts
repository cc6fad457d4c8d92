import type { PortAssignment } from "@berth/port-spec";
import type { ContainerId } from "../engine/ids.ts";
import { createElements, type Element } from "../networks/filter/elements.ts";
import type { Nft } from "../networks/filter/nft.ts";
import { PUBLISHED_SETS, tableCommands } from "../networks/filter/ruleset.ts";
import { forgetFlowsOf, forgetFlowsTo } from "./udp-flows.ts";

/** The kernel's forwarding from host ports to containers. */
export interface Publisher {
  /** Forwards the ports of one container to its address, in one transaction whose cost does not grow with the number of published ports. */
  publish(containerId: ContainerId, assignments: readonly PortAssignment[], address: string): Promise<void>;
  /** Removes the forwarding and ends its connections. Idempotent. */
  unpublish(containerId: ContainerId): Promise<void>;
  /** Replaces all forwarding with `wanted`, in one transaction, so that wanted forwarding is never interrupted. */
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
      // A UDP client that keeps sending would keep its conntrack entry to the old address.
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

/** IPv4 only; IPv6 connections arrive at the held socket. */
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
