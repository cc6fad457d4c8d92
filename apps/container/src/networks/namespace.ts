import { access, readdir } from "node:fs/promises";
import { ipBatch, runCommand } from "./command.ts";

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
  /** Further kernel settings of the container's end, by their name below `net.`; `IFNAME` stands for it, as in Docker. */
  readonly settings: Readonly<Record<string, string>>;
}

const folder = "/run/netns";
export const namespacePath = (name: string): string => `${folder}/${name}`;

/** What Docker sets in every container's namespace: any user may bind low ports and send echo requests. */
const openedToUsers = { "ipv4.ip_unprivileged_port_start": "0", "ipv4.ping_group_range": "0 2147483647" };

/** Makes a namespace with its loopback up and its places; nothing is left of it where that fails. */
export const makeNamespace = async (name: string, places: readonly Place[]): Promise<void> => {
  try {
    await ipBatch([`netns add ${name}`, ...places.flatMap((place) => hostCommands(name, place))]);
    await configure(name, openedToUsers, ["link set lo up"], places);
  } catch (thrown) {
    await removeNamespace(
      name,
      places.map(({ link }) => link),
    );
    throw thrown;
  }
};

/** Joins a namespace that is in use to a further bridge; nothing is left of it where that fails. */
export const addPlace = async (name: string, place: Place): Promise<void> => {
  await ipBatch(hostCommands(name, place));
  try {
    await configure(name, {}, [], [place]);
  } catch (thrown) {
    await removeLinks([place.link]);
    throw thrown;
  }
};

/** Removes links of the host, and with each its other end; those already gone are no error. */
export const removeLinks = async (links: readonly string[]): Promise<void> => {
  if (links.length === 0) return;
  // -force goes on after an error, here `Cannot find device`; whether they are gone is what counts.
  await runCommand("ip", ["-force", "-batch", "-"], `${links.map((link) => `link del ${link}`).join("\n")}\n`).catch(
    async (thrown) => {
      for (const link of links) if (await linkExists(link)) throw thrown;
    },
  );
};

/** Removes a namespace and its links; one already gone is no error. */
export const removeNamespace = async (name: string, links: readonly string[]): Promise<void> => {
  await removeLinks(links);
  await ipBatch([`netns del ${name}`]).catch(async (thrown) => {
    if ((await namespaceNames()).includes(name)) throw thrown;
  });
};

/** The default route of a namespace in use: `gateway` undefined takes it away. */
export const setDefaultRoute = async (name: string, gateway: string | undefined): Promise<void> => {
  await runCommand(
    "ip",
    gateway === undefined
      ? ["-n", name, "-force", "route", "flush", "default"]
      : ["-n", name, "route", "replace", "default", "via", gateway],
  );
};

/** The names of all namespaces of the host, ours and others'. */
export const namespaceNames = async (): Promise<readonly string[]> => {
  try {
    return await readdir(folder);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw thrown;
  }
};

export const linkExists = (link: string): Promise<boolean> =>
  access(`/sys/class/net/${link}`).then(
    () => true,
    () => false,
  );

const hostCommands = (name: string, place: Place): readonly string[] => [
  `link add ${place.link} mtu ${place.mtu} type veth peer name ${place.interfaceName} address ${place.macAddress} mtu ${place.mtu} netns ${name}`,
  `link set ${place.link} master ${place.bridge} up`,
  // Where the bridge itself filters IPv4 (br_netfilter), a container that asks for its own published port is sent back whence it came.
  `link set ${place.link} type bridge_slave hairpin on isolated ${place.isolated ? "on" : "off"}`,
];

/** One process for all that has to happen inside: settings through its own view of /proc/sys, the rest through `ip`. */
const configure = async (
  name: string,
  settings: Readonly<Record<string, string>>,
  first: readonly string[],
  places: readonly Place[],
): Promise<void> => {
  const commands = [
    ...first,
    ...places.flatMap((place) => [
      `addr add ${place.address}/${place.prefixLength} broadcast + dev ${place.interfaceName}`,
      `link set ${place.interfaceName} up`,
      ...(place.gateway === undefined ? [] : [`route add default via ${place.gateway} dev ${place.interfaceName}`]),
    ]),
  ];
  const all: [string, string][] = [...Object.entries(settings)];
  for (const { interfaceName, settings } of places) {
    all.push([`ipv6.conf.${interfaceName}.disable_ipv6`, "1"]);
    for (const [key, value] of Object.entries(settings)) all.push([key.replace("IFNAME", interfaceName), value]);
  }
  const writes = all.flatMap(([key, value]) => [`/proc/sys/net/${key.replaceAll(".", "/")}`, value]);
  // A kernel without IPv6 lacks some of the files: those are skipped. Values are arguments, never part of the script.
  const script = `while [ $# -gt 0 ]; do [ ! -e "$1" ] || echo "$2" > "$1" || exit 1; shift 2; done; exec ip -batch -`;
  const program = ["sh", "-c", script, "configure", ...writes];
  await runCommand("nsenter", [`--net=${namespacePath(name)}`, ...program], `${commands.join("\n")}\n`);
};
