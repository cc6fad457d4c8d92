import type { FamilyBridges } from "./bridges.ts";
import { type Iptables, programOf } from "./iptables.ts";
import { acceptsFor, type Builtin } from "./iptables-plan.ts";
import type { RefusingChain } from "./refusing-chain.ts";

const EFFECT = {
  forward: "published ports answer on this machine alone, and containers have no way out",
  input: "containers of user-defined networks cannot find each other by name",
};

/** A built-in chain of iptables whose firewall has no place for rules of others. */
export function iptablesWarning(iptables: Iptables, builtin: Builtin, bridges: FamilyBridges): string {
  const program = programOf(iptables);
  const commands = acceptsFor(builtin, bridges).map((accept) => `${program} -I ${builtin} ${accept}`);
  return warning(`the chain ${builtin} of ${program}`, builtin === "FORWARD" ? "forward" : "input", commands);
}

/** A chain of nftables, whose owner's configuration only the administrator can change. */
export function nftWarning({ family, table, name, hook }: RefusingChain, { all, named }: FamilyBridges): string {
  const set = (bridges: readonly string[]) => `{ ${bridges.map((bridge) => `"${bridge}"`).join(", ")} }`;
  const rules =
    hook === "forward" ? [`iifname ${set(all)}`, `oifname ${set(all)}`] : [`iifname ${set(named)} ct status dnat`];
  const commands = rules.map((rule) => `nft 'insert rule ${family} ${table} ${name} ${rule} accept'`);
  return warning(`the chain ${family} ${table} ${name}`, hook, commands);
}

function warning(chain: string, hook: "forward" | "input", commands: readonly string[]): string {
  const packets = hook === "forward" ? "forwarded packets" : "packets to this machine";
  return (
    `WARNING: ${chain} drops ${packets}: ${EFFECT[hook]}. ` +
    `Add these rules, also to the configuration that the chain comes from: ${commands.join("; ")}`
  );
}
