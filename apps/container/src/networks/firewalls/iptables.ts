import type { FamilyBridges } from "./bridges.ts";
import { type IptablesPlan, planIptables, planRemoval } from "./iptables-plan.ts";
import type { Run } from "./run.ts";

/** One of the host's four tables `filter`: each address family has one in nftables and one of the old kind. */
export interface Iptables {
  readonly family: "ip" | "ip6";
  readonly isLegacy: boolean;
}

/** The old tables that are in use in this network namespace; nftables shows nothing of them. */
export async function legacyTables(run: Run): Promise<readonly Iptables[]> {
  const families = [
    ["ip", "/proc/net/ip_tables_names"],
    ["ip6", "/proc/net/ip6_tables_names"],
  ] as const;
  const found = await Promise.all(
    families.map(async ([family, path]) => {
      // The file is not there where the kernel has no such tables.
      const names = (await run("cat", [path]).catch(() => "")).split("\n");
      return names.includes("filter") ? [{ family, isLegacy: true }] : [];
    }),
  );
  return found.flat();
}

/** Lets the packets of the bridges pass, where the firewall leaves a place for that. */
export async function admitBridges(
  run: Run,
  iptables: Iptables,
  { instance, bridges }: { readonly instance: string; readonly bridges: FamilyBridges },
): Promise<IptablesPlan> {
  const plan = planIptables(await list(run, iptables), instance, bridges);
  await restore(run, iptables, plan.commands);
  return plan;
}

/** Takes the instance's chains away again. */
export async function removeAdmission(run: Run, iptables: Iptables, instance: string): Promise<void> {
  await restore(run, iptables, planRemoval(await list(run, iptables), instance));
}

/** The program that a command for this table begins with. */
export function programOf({ family, isLegacy }: Iptables): string {
  return `${family === "ip" ? "iptables" : "ip6tables"}-${isLegacy ? "legacy" : "nft"}`;
}

function list(run: Run, iptables: Iptables): Promise<string> {
  return run(programOf(iptables), ["-w", "5", "-S"]);
}

async function restore(run: Run, iptables: Iptables, commands: readonly string[]): Promise<void> {
  if (commands.length === 0) return;
  await run(`${programOf(iptables)}-restore`, ["-w", "5", "--noflush"], `${commands.join("\n")}\n`);
}
