import { readFile, writeFile } from "node:fs/promises";
import { ipBatch, runCommand } from "./command.ts";
import { linkExists } from "./namespace.ts";

export interface BridgeOptions {
  readonly name: string;
  /** The instance that owns it: kept as the link's alias, so that it is found again whatever its name. */
  readonly instance: string;
  /** In CIDR form: `172.29.0.1/16`. None where the network has no gateway of its own. */
  readonly addresses: readonly string[];
  /** Stable, so that neighbours' memories of it stay true when ports come and go. */
  readonly macAddress: string;
  readonly mtu: number;
}

function aliasOf(instance: string): string {
  return `berth-${instance}`;
}

/** Makes the bridge, or makes the one there is as it should be; throws where something of others has its name. */
export async function makeBridge({ name, instance, addresses, macAddress, mtu }: BridgeOptions): Promise<void> {
  const exists = await linkExists(name);
  if (exists && !(await mayBeOurs(name, instance))) throw new Error(`the host has a link ${name} that is not ours`);
  await ipBatch([
    ...(exists ? [] : [`link add ${name} type bridge`]),
    `link set ${name} alias ${aliasOf(instance)} address ${macAddress} mtu ${mtu}`,
    ...addresses.map((address) => `addr replace ${address} broadcast + dev ${name}`),
    `link set ${name} up`,
  ]);
  // Published ports on the host's loopback cross the bridge with a loopback address; the ruleset lets nothing else do so.
  await writeFile(`/proc/sys/net/ipv4/conf/${name}/route_localnet`, "1");
  // No container tells the host where to send its packets. A host without IPv6 lacks the file.
  await writeFile(`/proc/sys/net/ipv6/conf/${name}/accept_ra`, "0").catch(() => undefined);
}

/** The bridges that this instance made. */
export async function bridgesOf(instance: string): Promise<readonly string[]> {
  const links = JSON.parse((await runCommand("ip", ["-j", "link", "show", "type", "bridge"])) || "[]") as readonly {
    readonly ifname: string;
    readonly ifalias?: string;
  }[];
  return links.filter(({ ifalias }) => ifalias === aliasOf(instance)).map(({ ifname }) => ifname);
}

/** A bridge that has our mark, or none yet: a crash may have come between its making and its marking. */
async function mayBeOurs(name: string, instance: string): Promise<boolean> {
  if (!(await linkExists(`${name}/bridge`))) return false;
  const alias = (await readFile(`/sys/class/net/${name}/ifalias`, "utf8")).trim();
  return alias === "" || alias === aliasOf(instance);
}

/** Lets the host pass packets between its links: without it nothing from outside reaches a container. */
export function enableForwarding(): Promise<void> {
  return writeFile("/proc/sys/net/ipv4/ip_forward", "1");
}
