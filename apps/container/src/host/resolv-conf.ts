import { readFile } from "node:fs/promises";
import { resolvConfWords } from "../engine/resolv-conf.ts";

/** Where systemd-resolved answers the host's own programs. No container reaches it. */
const RESOLVED_STUB = "127.0.0.53";

/** The host's own file, and the one in which systemd-resolved names the servers that it asks itself. */
const FILES = { own: "/etc/resolv.conf", resolved: "/run/systemd/resolve/resolv.conf" };

/**
 * The `resolv.conf` that containers get their name servers from: the host's own, or systemd-resolved's where the host's own names its
 * stub alone (moby `libnetwork/internal/resolvconf`, `Path`). Empty if there is none.
 */
export async function readResolvConf({ own, resolved } = FILES): Promise<string> {
  const text = await readFile(own, "utf8").catch(() => "");
  const servers = resolvConfWords(text, "nameserver");
  if (servers.length !== 1 || servers[0] !== RESOLVED_STUB) return text;
  return await readFile(resolved, "utf8").catch(() => text);
}

/** The name servers that the host and its containers ask, in order. */
export async function hostResolvers(): Promise<readonly string[]> {
  return resolvConfWords(await readResolvConf(), "nameserver");
}
