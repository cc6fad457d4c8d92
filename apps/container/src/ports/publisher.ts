import type { PortAssignment } from "@berth/port-spec";
import type { ContainerId } from "../engine/ids.ts";
import type { Nft } from "../networks/nft.ts";
import { tableCommands } from "../networks/ruleset.ts";
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

interface Element {
  readonly map: "ports" | "addresses";
  readonly key: string;
  readonly value: string;
}

/** @param table the instance's table, made by {@link tableCommands}. */
export function createPublisher(nft: Nft, table: string): Publisher {
  const published = new Map<ContainerId, { readonly address: string; readonly elements: readonly Element[] }>();

  const rebuild = () =>
    nft.apply([
      ...tableCommands(table),
      `flush map ip ${table} ports`,
      `flush map ip ${table} addresses`,
      ...addCommands(
        table,
        [...published.values()].flatMap(({ elements }) => elements),
      ),
    ]);

  return {
    publish: async (containerId, assignments, address) => {
      const elements = elementsOf(assignments, address);
      const earlier = published.get(containerId)?.elements ?? [];
      published.set(containerId, { address, elements });
      try {
        await nft.apply([...deleteCommands(table, earlier), ...addCommands(table, elements)]);
      } catch (thrown) {
        published.delete(containerId);
        await rebuild();
        throw thrown;
      }
      await forgetFlowsTo(assignments);
    },
    unpublish: async (containerId) => {
      const gone = published.get(containerId);
      if (gone === undefined) return;
      published.delete(containerId);
      try {
        // Where the kernel has not all of the elements, or may have been asked twice: what it should have is known.
        await nft.apply(deleteCommands(table, gone.elements)).catch(rebuild);
      } catch (thrown) {
        published.set(containerId, gone);
        throw thrown;
      }
      // A UDP client that goes on sending would keep its way to an address that is gone.
      if (gone.elements.some(({ key }) => key.includes("udp . "))) await forgetFlowsOf(gone.address);
    },
    reset: async (wanted) => {
      published.clear();
      for (const [containerId, { assignments, address }] of wanted)
        published.set(containerId, { address, elements: elementsOf(assignments, address) });
      await rebuild();
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
        ? { map: "ports", key, value }
        : { map: "addresses", key: `${hostIp} . ${key}`, value };
    });
}

function addCommands(table: string, elements: readonly Element[]): readonly string[] {
  return perMap(
    elements,
    (map, some) => `add element ip ${table} ${map} { ${some.map(({ key, value }) => `${key} : ${value}`).join(", ")} }`,
  );
}

function deleteCommands(table: string, elements: readonly Element[]): readonly string[] {
  return perMap(
    elements,
    (map, some) => `delete element ip ${table} ${map} { ${some.map(({ key }) => key).join(", ")} }`,
  );
}

function perMap(
  elements: readonly Element[],
  command: (map: string, some: readonly Element[]) => string,
): readonly string[] {
  return (["ports", "addresses"] as const).flatMap((map) => {
    const some = elements.filter((element) => element.map === map);
    return some.length === 0 ? [] : [command(map, some)];
  });
}
