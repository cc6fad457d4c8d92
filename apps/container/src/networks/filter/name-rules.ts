import { runCommand } from "../command.ts";
import { namespacePath } from "../namespace.ts";

/** The name service's address in containers on user networks: Docker's. */
export const NAME_SERVICE_ADDRESS = "127.0.0.11";

/** How a container finds a name server whose address nothing on its link answers to. */
export interface OnLink {
  readonly interfaceName: string;
  /** The bridge's hardware address. */
  readonly macAddress: string;
}

/**
 * Redirects a sandbox's {@link NAME_SERVICE_ADDRESS} to the name service behind `gateway`, replacing any previous redirect.
 * With `onLink`, the sandbox is told how to reach that address.
 * The rule lives in the sandbox, so it outlasts a restart of the service; the instance's own table redirects the gateway's port 53.
 */
export async function leadNames(namespace: string, gateway: string, onLink: OnLink | undefined): Promise<void> {
  if (onLink !== undefined) {
    const { interfaceName, macAddress } = onLink;
    const commands = [
      `neigh replace ${gateway} lladdr ${macAddress} dev ${interfaceName} nud permanent`,
      `route replace ${gateway}/32 dev ${interfaceName}`,
    ];
    await runCommand("ip", ["-n", namespace, "-batch", "-"], `${commands.join("\n")}\n`);
  }
  const chains = [
    "add table ip berth_names",
    "delete table ip berth_names",
    "table ip berth_names {",
    "  chain output { type nat hook output priority -100; policy accept;",
    `    ip daddr ${NAME_SERVICE_ADDRESS} udp dport 53 dnat to ${gateway}:53`,
    `    ip daddr ${NAME_SERVICE_ADDRESS} tcp dport 53 dnat to ${gateway}:53`,
    "  }",
    "  chain postrouting { type nat hook postrouting priority 100; policy accept;",
    `    ip saddr 127.0.0.0/8 ip daddr ${gateway} masquerade`,
    "  }",
    "}",
  ];
  await runCommand("nsenter", [`--net=${namespacePath(namespace)}`, "nft", "-f", "-"], `${chains.join("\n")}\n`);
}
