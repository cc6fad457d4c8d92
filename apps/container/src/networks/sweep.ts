import { basename } from "node:path";
import { bridgesOf } from "./bridge.ts";
import { runCommand } from "./command.ts";
import type { Nft } from "./filter/nft.ts";
import { dropTableCommands } from "./filter/tables.ts";
import { namespaceNames, removeLinks, removeNamespaces } from "./namespace.ts";
import { namespacePrefix } from "./ready-sandboxes.ts";
import type { StoredSandbox } from "./store.ts";

/** The bridges and sandboxes of an instance to keep. */
export interface Kept {
  readonly bridges: readonly string[];
  readonly sandboxes: readonly StoredSandbox[];
}

/**
 * Removes the instance's namespaces, links and bridges that are not kept, which a crash left. It recognises them by a namespace's name, a
 * bridge's alias and a link's bridge, and touches nothing else.
 */
export async function sweep(instance: string, { bridges, sandboxes }: Kept): Promise<void> {
  const names = new Set(sandboxes.map(({ path }) => basename(path)));
  const links = new Set(sandboxes.flatMap(({ endpoints }) => endpoints.map(({ link }) => link)));
  const found = await bridgesOf(instance);
  const loose: string[] = [];
  for (const bridge of found) loose.push(...(await portsOf(bridge)).filter((link) => !links.has(link)));
  const lost = (await namespaceNames()).filter(
    (name) => name.startsWith(namespacePrefix(instance)) && !names.has(name),
  );
  await removeNamespaces([{ name: undefined, links: loose }, ...lost.map((name) => ({ name, links: [] }))]);
  await removeLinks(found.filter((bridge) => !bridges.includes(bridge)));
}

/**
 * Removes every trace of the instance from the host's network: namespaces, links, bridges and its tables. Containers lose their
 * network, so stop them first. Leaves the database unchanged. Idempotent.
 */
export async function removeInstance(instance: string, nft: Nft): Promise<void> {
  await sweep(instance, { bridges: [], sandboxes: [] });
  await nft.apply(dropTableCommands(instance));
}

async function portsOf(bridge: string): Promise<readonly string[]> {
  const links = JSON.parse((await runCommand("ip", ["-j", "link", "show", "master", bridge])) || "[]") as readonly {
    readonly ifname: string;
  }[];
  return links.map(({ ifname }) => ifname);
}
