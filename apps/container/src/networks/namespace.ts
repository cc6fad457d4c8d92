import { access, readdir } from "node:fs/promises";
import { runCommand } from "./command.ts";

/** An endpoint to create on a bridge: a pair of links and its addresses. */
export interface Place {
  readonly bridge: string;
  /** The host's end. */
  readonly link: string;
  /** The container's end: `eth0`, …. */
  readonly interfaceName: string;
  /** In CIDR form, of both families. */
  readonly addresses: readonly string[];
  readonly macAddress: string;
  /** Its default routes, one for each family at most; a family without one keeps what it has. */
  readonly gateways: readonly string[];
  readonly mtu: number;
  /** Its addresses that the bridge cannot ask for, as it has none of that family itself. */
  readonly neighbours: readonly string[];
  /** Further sysctls of the container's end, by name below `net.`, with `IFNAME` for its name, as in Docker. Shell-safe words only. */
  readonly settings: Readonly<Record<string, string>>;
}

const FOLDER = "/run/netns";
export function namespacePath(name: string): string {
  return `${FOLDER}/${name}`;
}

/** What Docker sets in every container's namespace: any user may bind low ports and send echo requests. */
const OPENED_TO_USERS = { "ipv4.ip_unprivileged_port_start": "0", "ipv4.ping_group_range": "0 2147483647" };

/** A namespace to create. */
export interface NamespacePlan {
  readonly name: string;
  readonly places: readonly Place[];
}

/** Creates namespaces with their endpoints and loopback up, in one process. A failure leaves none of them. */
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

/** Adds an endpoint to a namespace in use. A failure leaves no trace. */
export async function addPlace(name: string, place: Place): Promise<void> {
  try {
    await runScript([...batch(hostCommands(name, place)), ...configure(name, {}, [], [place])]);
  } catch (thrown) {
    await removeLinks([place.link]);
    throw thrown;
  }
}

/** Removes links of the host with their other ends. Idempotent. */
export function removeLinks(links: readonly string[]): Promise<void> {
  return removeNamespaces([{ name: undefined, links }]);
}

/** Removes namespaces and links in one process. Idempotent. */
export async function removeNamespaces(
  gone: readonly { readonly name: string | undefined; readonly links: readonly string[] }[],
): Promise<void> {
  const commands = gone.flatMap(({ name, links }) => [
    ...links.map((link) => `link del ${link}`),
    ...(name === undefined ? [] : [`netns del ${name}`]),
  ]);
  if (commands.length === 0) return;
  // -force continues after errors such as `Cannot find device`; the check below decides.
  await runCommand("ip", ["-force", "-batch", "-"], `${commands.join("\n")}\n`).catch(async (thrown) => {
    const names = await namespaceNames();
    for (const { name, links } of gone) {
      if (name !== undefined && names.includes(name)) throw thrown;
      for (const link of links) if (await linkExists(link)) throw thrown;
    }
  });
}

/** Changes the default route of a namespace in use, in the gateway's family. */
export async function setDefaultRoute(name: string, gateway: string): Promise<void> {
  await runCommand("ip", ["-n", name, "route", "replace", "default", "via", gateway]);
}

/** Gives a link an address in CIDR form. An IPv6 address is usable at once: no neighbour is asked whether it has it. */
export function addressCommand(address: string, link: string): string {
  return `addr replace ${address} ${address.includes(":") ? "nodad" : "broadcast +"} dev ${link}`;
}

/** The names of all namespaces of the host. */
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
    // With br_netfilter, packets of a container to its own published port leave the bridge by the port that they entered.
    `link set ${place.link} type bridge_slave hairpin on`,
    ...place.neighbours.map(
      (address) => `neigh replace ${address} lladdr ${place.macAddress} dev ${place.bridge} nud permanent`,
    ),
  ];
}

/** Shell lines that set up the inside of a namespace: sysctls through its own /proc/sys, the rest with `ip`. */
function configure(
  name: string,
  settings: Readonly<Record<string, string>>,
  first: readonly string[],
  places: readonly Place[],
): readonly string[] {
  const all: [string, string][] = [...Object.entries(settings)];
  for (const { interfaceName, settings } of places) {
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
        ...place.addresses.map((address) => addressCommand(address, place.interfaceName)),
        `link set ${place.interfaceName} up`,
        ...place.gateways.map((gateway) => `route replace default via ${gateway} dev ${place.interfaceName}`),
      ]),
    ]),
    "INSIDE",
  ];
}

/** Shell lines that run `ip` commands in one process. The quoted end mark prevents expansion. */
function batch(commands: readonly string[]): readonly string[] {
  return ["ip -batch - <<'BATCH'", ...commands, "BATCH"];
}

/** Runs many programs in one shell: starting a process from this service costs more than the programs themselves. */
async function runScript(lines: readonly string[]): Promise<void> {
  await runCommand("sh", ["-e"], `${lines.join("\n")}\n`);
}
