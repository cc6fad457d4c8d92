import { runCommand } from "../command.ts";
import { namespacePath } from "../namespace.ts";

/** Where containers on user networks find the name service: Docker's address, always the same. */
export const NAME_SERVICE_ADDRESS = "127.0.0.11";

/**
 * Leads a sandbox's {@link NAME_SERVICE_ADDRESS} to the name service behind `gateway`, over whatever led there before.
 * The rule is the kernel's and lives in the sandbox, so it outlasts a restart of ours; the way on from the gateway's port 53 is in
 * the instance's own table.
 */
export async function leadNames(namespace: string, gateway: string): Promise<void> {
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
