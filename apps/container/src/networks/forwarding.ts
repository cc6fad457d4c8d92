import { readdir, readFile, writeFile } from "node:fs/promises";

const SETTINGS = "/proc/sys/net/ipv6/conf";

/** Enables forwarding between links, which published ports need. */
export function enableForwarding(): Promise<void> {
  return writeFile("/proc/sys/net/ipv4/ip_forward", "1");
}

/**
 * The same for IPv6. A link that forwards ignores router advertisements, which may be where the host has its own addresses and its default
 * route from; so every link that listens to them until now goes on (`accept_ra` 2, kernel Documentation/networking/ip-sysctl.rst).
 */
export async function enableIPv6Forwarding(folder = SETTINGS): Promise<void> {
  const read = (link: string, key: string) =>
    readFile(`${folder}/${link}/${key}`, "utf8").then(
      (text) => text.trim(),
      () => "",
    );
  if ((await read("all", "forwarding")) === "1") return;
  for (const link of await readdir(folder)) {
    if (link === "all" || link === "default") continue;
    const listens = (await read(link, "accept_ra")) === "1" && (await read(link, "forwarding")) === "0";
    // The link may be gone by now.
    if (listens) await writeFile(`${folder}/${link}/accept_ra`, "2").catch(() => undefined);
  }
  await writeFile(`${folder}/all/forwarding`, "1");
}

/** Whether this host has IPv6 at all. */
export function hasIPv6(): Promise<boolean> {
  return readFile("/proc/net/if_inet6").then(
    () => true,
    () => false,
  );
}
