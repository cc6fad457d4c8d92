import { readFile, writeFile } from "node:fs/promises";
import { ipBatch, runCommand } from "./command.ts";
import { addressCommand, linkExists } from "./namespace.ts";
import type { Network } from "./networks.ts";

export interface BridgeOptions {
  readonly name: string;
  /** The owning instance, stored as the link's alias to find the bridge again. */
  readonly instance: string;
  /** In CIDR form: `172.29.0.1/16`, `fd00:1::1/64`. */
  readonly addresses: readonly string[];
  /** Fixed, so that ARP caches stay valid when ports come and go. */
  readonly macAddress: string;
  readonly mtu: number;
  /** In CIDR form: what lies on the bridge without an address of the bridge in it. */
  readonly routes: readonly string[];
  /** Whether it speaks IPv6 with its network; `off` where not even its link-local address may be there. */
  readonly ipv6: "on" | "default" | "off";
}

function aliasOf(instance: string): string {
  return `berth-${instance}`;
}

/** Creates the bridge or updates the existing one; throws if another link has its name. */
export async function makeBridge(options: BridgeOptions): Promise<void> {
  const { name, instance, addresses, macAddress, mtu, routes, ipv6 } = options;
  const exists = await linkExists(name);
  if (exists && !(await mayBeOurs(name, instance))) throw new Error(`the host has a link ${name} that is not ours`);
  await ipBatch([
    ...(exists ? [] : [`link add ${name} type bridge`]),
    `link set ${name} alias ${aliasOf(instance)} address ${macAddress} mtu ${mtu}`,
  ]);
  // Ignore router advertisements from containers. A host without IPv6 lacks the files.
  await writeSetting(name, "accept_ra", "0");
  // Without a link-local address, which duplicate detection withholds for a second, the host finds no container for others' packets.
  await writeSetting(name, "accept_dad", "0");
  if (ipv6 !== "default") await writeSetting(name, "disable_ipv6", ipv6 === "on" ? "0" : "1");
  await ipBatch([
    ...(exists ? await staleAddresses(name, addresses) : []).map((address) => `addr del ${address} dev ${name}`),
    ...addresses.map((address) => addressCommand(address, name)),
    `link set ${name} up`,
    ...routes.map((subnet) => `route replace ${subnet} dev ${name}`),
  ]);
  // Ports published on the host's loopback cross the bridge with a loopback source; the ruleset drops all other such packets.
  await writeFile(`/proc/sys/net/ipv4/conf/${name}/route_localnet`, "1");
}

function writeSetting(name: string, key: string, value: string): Promise<void> {
  return writeFile(`/proc/sys/net/ipv6/conf/${name}/${key}`, value).catch(() => undefined);
}

/** The global IPv6 addresses of a bridge that its network does not have any more. */
async function staleAddresses(name: string, wanted: readonly string[]): Promise<readonly string[]> {
  const listed = await runCommand("ip", ["-j", "-6", "addr", "show", "dev", name, "scope", "global"]);
  const [link] = JSON.parse(listed || "[]") as readonly {
    readonly addr_info?: readonly { readonly local?: string; readonly prefixlen?: number }[];
  }[];
  return (link?.addr_info ?? [])
    .flatMap(({ local, prefixlen }) => (local === undefined ? [] : [`${local}/${prefixlen}`]))
    .filter((address) => !wanted.includes(address));
}

/** The bridge's own, the same as long as its network is. */
export function bridgeMacAddress({ id }: Pick<Network, "id">): string {
  return `02:42:${id.slice(0, 8).replace(/..(?=.)/g, "$&:")}`;
}

/** The bridges that this instance made. */
export async function bridgesOf(instance: string): Promise<readonly string[]> {
  const links = JSON.parse((await runCommand("ip", ["-j", "link", "show", "type", "bridge"])) || "[]") as readonly {
    readonly ifname: string;
    readonly ifalias?: string;
  }[];
  return links.filter(({ ifalias }) => ifalias === aliasOf(instance)).map(({ ifname }) => ifname);
}

/**
 * A bridge with our alias, or one that a crash left between its creation and its marking: that one was never up. A bridge without alias
 * that is up belongs to the host's administrator or to another program.
 */
async function mayBeOurs(name: string, instance: string): Promise<boolean> {
  if (!(await linkExists(`${name}/bridge`))) return false;
  const [alias, flags] = await Promise.all(
    ["ifalias", "flags"].map(async (file) => (await readFile(`/sys/class/net/${name}/${file}`, "utf8")).trim()),
  );
  return alias === aliasOf(instance) || (alias === "" && (Number(flags) & IFF_UP) === 0);
}

const IFF_UP = 1;
