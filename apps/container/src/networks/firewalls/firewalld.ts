import type { Run } from "./run.ts";

/** The table that firewalld keeps its rules in. */
export const FIREWALLD_TABLE = "firewalld";

/**
 * Puts the bridges into a zone of their own, and lets that zone reach every other one. firewalld itself accepts translated packets, which
 * are those to published ports and to name services, so that the zone opens nothing else of the host to containers. Zone and policy are
 * permanent, so that they survive a reload; see firewalld.zone(5) and firewalld.policy(5).
 */
export async function admitToZone(run: Run, instance: string, bridges: readonly string[]): Promise<void> {
  const rules = await run("nft", ["list", "table", "inet", FIREWALLD_TABLE]);
  const inZone = [...rules.matchAll(/iifname "([^"]+)" goto filter_FWD_(\S+)/g)]
    .filter(([, , zone]) => zone === instance)
    .map(([, bridge = ""]) => bridge);
  const missing = bridges.filter((bridge) => !inZone.includes(bridge));
  if (missing.length > 0) await makeZone(run, instance);
  for (const [change, changed] of [
    ["change", missing],
    ["remove", inZone.filter((bridge) => !bridges.includes(bridge))],
  ] as const)
    for (const bridge of changed) {
      await firewallCmd(run, ["--permanent", `--zone=${instance}`, `--${change}-interface=${bridge}`]);
      await firewallCmd(run, [`--zone=${instance}`, `--${change}-interface=${bridge}`]);
    }
}

/** Removes zone and policy. */
export async function removeZone(run: Run, instance: string): Promise<void> {
  const isThere = await has(run, "zones", instance);
  const hasPolicy = await has(run, "policies", policyOf(instance));
  if (!isThere && !hasPolicy) return;
  if (hasPolicy) await firewallCmd(run, ["--permanent", `--delete-policy=${policyOf(instance)}`]);
  if (isThere) await firewallCmd(run, ["--permanent", `--delete-zone=${instance}`]);
  await firewallCmd(run, ["--reload"]);
}

async function makeZone(run: Run, instance: string): Promise<void> {
  const policy = policyOf(instance);
  const [hasZone, hasPolicy] = [await has(run, "zones", instance), await has(run, "policies", policy)];
  if (hasZone && hasPolicy) return;
  if (!hasZone) {
    await firewallCmd(run, ["--permanent", `--new-zone=${instance}`]);
    await firewallCmd(run, ["--permanent", `--zone=${instance}`, "--add-forward"]);
  }
  if (!hasPolicy) {
    await firewallCmd(run, ["--permanent", `--new-policy=${policy}`]);
    for (const change of [`--add-ingress-zone=${instance}`, "--add-egress-zone=ANY", "--set-target=ACCEPT"])
      await firewallCmd(run, ["--permanent", `--policy=${policy}`, change]);
  }
  await firewallCmd(run, ["--reload"]);
}

function policyOf(instance: string): string {
  return `${instance}-out`;
}

async function has(run: Run, kind: "zones" | "policies", name: string): Promise<boolean> {
  return (await firewallCmd(run, ["--permanent", `--get-${kind}`])).split(/\s+/).includes(name);
}

function firewallCmd(run: Run, args: readonly string[]): Promise<string> {
  return run("firewall-cmd", args);
}
