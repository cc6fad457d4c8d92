import { readdir, readFile, readlink } from "node:fs/promises";
import type { Protocol } from "@berth/port-spec";
import type { Holder } from "./lease-store.ts";

/**
 * The process that holds a host port, through the kernel's socket tables and every process's open files.
 * Best effort: a process of another user or namespace may be invisible, or end during the search.
 */
export async function findPortProcess(
  protocol: Protocol,
  hostPort: number,
): Promise<Extract<Holder, { kind: "process" }>> {
  const unknown = { kind: "process", pid: undefined, command: undefined } as const;
  const inodes = new Set([...(await inodesOf(protocol, hostPort)), ...(await inodesOf(`${protocol}6`, hostPort))]);
  if (inodes.size === 0) return unknown;
  for (const pid of await list("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    for (const file of await list(`/proc/${pid}/fd`)) {
      const link = await readlink(`/proc/${pid}/fd/${file}`).catch(() => "");
      if (!link.startsWith("socket:[") || !inodes.has(link.slice(8, -1))) continue;
      const command = (await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "")).trim();
      return { kind: "process", pid: Number(pid), command: command === "" ? undefined : command };
    }
  }
  return unknown;
}

/** The inodes of the sockets bound to the port; for TCP, the listening ones if there are any. */
async function inodesOf(table: string, port: number): Promise<readonly string[]> {
  const lines = (await readFile(`/proc/net/${table}`, "utf8").catch(() => "")).split("\n").slice(1);
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const bound = lines.map((line) => line.trim().split(/\s+/)).filter(([, local]) => local?.endsWith(suffix));
  const listening = bound.filter(([, , , state]) => state === "0A");
  return (listening.length > 0 ? listening : bound).map((fields) => fields[9] ?? "").filter((inode) => inode !== "0");
}

function list(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
