import { ipFamily, type PortAssignment } from "@berth/port-spec";
import type { ContainerId } from "../engine/ids.ts";
import type { Element } from "../networks/filter/element.ts";
import { createElements } from "../networks/filter/elements.ts";
import type { Nft } from "../networks/filter/nft.ts";
import { PUBLISHED_SETS, tableCommands } from "../networks/filter/tables.ts";
import type { PortTarget } from "./ports.ts";
import { forgetFlowsOf, forgetFlowsTo } from "./udp-flows.ts";

/** The ports of one container and where they lead. */
export interface PublishedPorts {
  readonly assignments: readonly PortAssignment[];
  readonly target: PortTarget;
}

/** The kernel's forwarding from host ports to containers. */
export interface Publisher {
  /** Forwards the ports of one container to its addresses, in one transaction whose cost does not grow with the number of published ports. */
  publish(containerId: ContainerId, assignments: readonly PortAssignment[], target: PortTarget): Promise<void>;
  /** Removes the forwarding and ends its connections. Idempotent. */
  unpublish(containerId: ContainerId): Promise<void>;
  /** Replaces all forwarding with `wanted`, in one transaction, so that wanted forwarding is never interrupted. */
  reset(wanted: ReadonlyMap<ContainerId, PublishedPorts>): Promise<void>;
}

/** @param table the instance's table, made by {@link tableCommands}. */
export function createPublisher(nft: Nft, table: string): Publisher {
  const elements = createElements<ContainerId>(nft, table, { prepare: tableCommands(table), sets: PUBLISHED_SETS });
  const targets = new Map<ContainerId, PortTarget>();
  return {
    publish: async (containerId, assignments, target) => {
      await elements.put(new Map([[containerId, elementsOf({ assignments, target })]]));
      targets.set(containerId, target);
      await forgetFlowsTo(assignments.filter((assignment) => isRedirected(assignment, target)));
    },
    unpublish: async (containerId) => {
      const gone = elements.of(containerId);
      await elements.remove([containerId]);
      const target = targets.get(containerId);
      targets.delete(containerId);
      // A UDP client that keeps sending would keep its conntrack entry to the old address.
      if (target !== undefined && gone.some(({ key }) => key.includes("udp . ")))
        for (const address of [target.ipv4, target.ipv6]) if (address !== undefined) await forgetFlowsOf(address);
    },
    reset: async (wanted) => {
      targets.clear();
      for (const [containerId, { target }] of wanted) targets.set(containerId, target);
      await elements.reset(new Map([...wanted].map(([id, ports]) => [id, elementsOf(ports)])));
      await forgetFlowsTo(
        [...wanted.values()].flatMap(({ assignments, target }) =>
          assignments.filter((assignment) => isRedirected(assignment, target)),
        ),
      );
    },
  };
}

/**
 * Whether the kernel leads packets to the port on to the container: it translates within a family, and never the loopback address of IPv6.
 * Others arrive at the held socket.
 */
export function isRedirected({ hostIp }: PortAssignment, target: PortTarget | undefined): boolean {
  return hostIp !== "::1" && target?.[ipFamily(hostIp)] !== undefined;
}

function elementsOf({ assignments, target }: PublishedPorts): readonly Element[] {
  const opened = (target.opened ?? []).map(({ address, protocol, containerPort }) => {
    const family = ipFamily(address) === "ipv4" ? "ip" : "ip6";
    return { family, set: "opened", key: `${address} . ${protocol} . ${containerPort}` } as const;
  });
  return [...opened, ...redirections({ assignments, target })];
}

function redirections({ assignments, target }: PublishedPorts): readonly Element[] {
  return assignments
    .filter((assignment) => isRedirected(assignment, target))
    .map(({ hostIp, hostPort, protocol, containerPort }) => {
      const family = ipFamily(hostIp) === "ipv4" ? "ip" : "ip6";
      const key = `${protocol} . ${hostPort}`;
      const value = `${target[ipFamily(hostIp)]} . ${containerPort}`;
      return hostIp === "0.0.0.0" || hostIp === "::"
        ? { family, set: "ports", key, value }
        : { family, set: "addresses", key: `${hostIp} . ${key}`, value };
    });
}
