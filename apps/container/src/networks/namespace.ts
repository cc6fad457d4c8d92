import { access, readdir } from "node:fs/promises";
import { runCommand } from "./command.ts";

/** A place on a bridge: what one pair of links and one address take to make. */
export interface Place {
  readonly bridge: string;
  /** The host's end. */
  readonly link: string;
  /** The container's end: `eth0`, …. */
  readonly interfaceName: string;
  readonly address: string;
  readonly prefixLength: number;
  readonly macAddress: string;
  /** The default route; undefined leaves the one there is. */
  readonly gateway: string | undefined;
  readonly mtu: number;
  /** Whether it may speak to the other places on the bridge, not only to the host and beyond. */
  readonly isolated: boolean;
  /** Further kernel settings of the container's end, by their name below `net.`; `IFNAME` stands for it, as in Docker. Safe words only. */
  readonly settings: Readonly<Record<string, string>>;
}

const FOLDER = "/run/netns";
export function namespacePath(name: string): string {
  return `${FOLDER}/${name}`;
}

/** What Docker sets in every container's namespace: any user may bind low ports and send echo requests. */
const OPENED_TO_USERS = { "ipv4.ip_unprivileged_port_start": "0", "ipv4.ping_group_range": "0 2147483647" };

/** A namespace to make. */
export interface NamespacePlan {
  readonly name: string;
  readonly places: readonly Place[];
}

/** Makes namespaces with their loopback up and their places, all in one process; nothing is left of any where that fails. */
export async function makeNamespaces(plans: readonly NamespacePlan[]): Promise<void> {
  if (plans.length === 0) return;
  try {
    await runScript([
      ...batch(
        plans.flatMap(({ name, places }) => [
          `netns add ${name}`,
          ...places.flatMap((place) => hostCommands(name, place)),
        ]),
      ),
      ...plans.flatMap(({ name, places }) => configure(name, OPENED_TO_USERS, ["link set lo up"], places)),
    ]);
  } catch (thrown) {
    await removeNamespaces(plans.map(({ name, places }) => ({ name, links: places.map(({ link }) => link) })));
    throw thrown;
  }
}

/** Joins a namespace that is in use to a further bridge; nothing is left of it where that fails. */
export async function addPlace(name: string, place: Place): Promise<void> {
  try {
    await runScript([...batch(hostCommands(name, place)), ...configure(name, {}, [], [place])]);
  } catch (thrown) {
    await removeLinks([place.link]);
    throw thrown;
  }
}

/** Removes links of the host, and with each its other end; those already gone are no error. */
export function removeLinks(links: readonly string[]): Promise<void> {
  return removeNamespaces([{ name: undefined, links }]);
}

/** Removes namespaces and links, all in one process; those already gone are no error. */
export async function removeNamespaces(
  gone: readonly { readonly name: string | undefined; readonly links: readonly string[] }[],
): Promise<void> {
  const commands = gone.flatMap(({ name, links }) => [
    ...links.map((link) => `link del ${link}`),
    ...(name === undefined ? [] : [`netns del ${name}`]),
  ]);
  if (commands.length === 0) return;
  // -force goes on after an error, such as `Cannot find device`; whether they are gone is what counts.
  await runCommand("ip", ["-force", "-batch", "-"], `${commands.join("\n")}\n`).catch(async (thrown) => {
    const names = await namespaceNames();
    for (const { name, links } of gone) {
      if (name !== undefined && names.includes(name)) throw thrown;
      for (const link of links) if (await linkExists(link)) throw thrown;
    }
  });
}

/** Gives a namespace in use another default route. */
export async function setDefaultRoute(name: string, gateway: string): Promise<void> {
  await runCommand("ip", ["-n", name, "route", "replace", "default", "via", gateway]);
}

/** The names of all namespaces of the host, ours and others'. */
export async function namespaceNames(): Promise<readonly string[]> {
  try {
    return await readdir(FOLDER);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw thrown;
  }
}

export function linkExists(link: string): Promise<boolean> {
  return access(`/sys/class/net/${link}`).then(
    () => true,
    () => false,
  );
}

function hostCommands(name: string, place: Place): readonly string[] {
  return [
    `link add ${place.link} mtu ${place.mtu} type veth peer name ${place.interfaceName} address ${place.macAddress} mtu ${place.mtu} netns ${name}`,
    `link set ${place.link} master ${place.bridge} up`,
    // Where the bridge itself filters IPv4 (br_netfilter), a container that asks for its own published port is sent back whence it came.
    `link set ${place.link} type bridge_slave hairpin on isolated ${place.isolated ? "on" : "off"}`,
  ];
}

/** The lines of a shell that make the inside of a namespace: settings through its own view of /proc/sys, the rest through `ip`. */
function configure(
  name: string,
  settings: Readonly<Record<string, string>>,
  first: readonly string[],
  places: readonly Place[],
): readonly string[] {
  const all: [string, string][] = [...Object.entries(settings)];
  for (const { interfaceName, settings } of places) {
    all.push([`ipv6.conf.${interfaceName}.disable_ipv6`, "1"]);
    for (const [key, value] of Object.entries(settings)) all.push([key.replace("IFNAME", interfaceName), value]);
  }
  const writes = all.map(([key, value]) => {
    const file = `/proc/sys/net/${key.replaceAll(".", "/")}`;
    // A kernel without IPv6 lacks some of the files.
    return `[ ! -e ${file} ] || echo ${value} > ${file}`;
  });
  return [
    `nsenter --net=${namespacePath(name)} sh -e <<'INSIDE'`,
    ...writes,
    ...batch([
      ...first,
      ...places.flatMap((place) => [
        `addr add ${place.address}/${place.prefixLength} broadcast + dev ${place.interfaceName}`,
        `link set ${place.interfaceName} up`,
        ...(place.gateway === undefined ? [] : [`route add default via ${place.gateway} dev ${place.interfaceName}`]),
      ]),
    ]),
    "INSIDE",
  ];
}

/** The lines of a shell that run `ip` commands in one process. The quoted end mark keeps the shell from reading into them. */
function batch(commands: readonly string[]): readonly string[] {
  return ["ip -batch - <<'BATCH'", ...commands, "BATCH"];
}

/** One process of ours for many of the host's: starting one costs this service more than all it does. */
async function runScript(lines: readonly string[]): Promise<void> {
  await runCommand("sh", ["-e"], `${lines.join("\n")}\n`);
}
