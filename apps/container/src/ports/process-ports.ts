import { readdir, readFile, readlink } from "node:fs/promises";
import { canonicalIp, type HostEndpoint, type Protocol } from "@berth/port-spec";
import type { Holder } from "./lease-store.ts";

type Process = Extract<Holder, { kind: "process" }>;

/** A host port that a program has open. */
export interface ProcessPort extends HostEndpoint {
  readonly holder: Process;
}

const UNKNOWN: Process = { kind: "process", pid: undefined, command: undefined };
const TABLES = ["tcp", "tcp6", "udp", "udp6"] as const;
/** The kernel's states of a socket that listens, and of an unconnected one (`include/net/tcp_states.h`). */
const OPEN_STATE = { tcp: "0A", udp: "07" } as const;
/** More help nobody, and a report has room for no more. */
const MOST = 5_000;

/** A row of the kernel's socket tables. */
interface Socket extends HostEndpoint {
  readonly protocol: keyof typeof OPEN_STATE;
  readonly inode: string;
  readonly state: string;
}

/**
 * The ports of this host that programs have open, with the program, through the kernel's socket tables and every process's open files.
 * Best effort: a process may end during the search, and sockets of the kernel have none.
 */
export class ProcessPorts {
  /** Whose socket an inode is. A number is used again only long after its socket is closed. */
  #owners: ReadonlyMap<string, Process> = new Map();

  /** The open ports by number, without those that Berth itself holds for containers. */
  async list(leases: readonly HostEndpoint[]): Promise<readonly ProcessPort[]> {
    const leased = new Set(leases.map(keyOf));
    const tables = await Promise.all(TABLES.map(readTable));
    const open = tables.flat().filter(({ protocol, state }) => state === OPEN_STATE[protocol]);
    const others = open
      .filter((socket) => !leased.has(keyOf(socket)))
      .sort((a, b) => a.hostPort - b.hostPort)
      .slice(0, MOST);
    // Whoever listens does so for long: looking through all open files is for sockets that are new.
    const unknown = others.filter(({ inode }) => !this.#owners.has(inode)).map(({ inode }) => inode);
    const found = unknown.length === 0 ? new Map<string, Process>() : await processesOf(new Set(unknown));
    const owners = new Map(
      others.map(({ inode }) => [inode, this.#owners.get(inode) ?? found.get(inode) ?? UNKNOWN] as const),
    );
    this.#owners = owners;
    const ports = others.map(({ hostIp, hostPort, protocol, inode }) => ({
      ...{ hostIp, hostPort, protocol },
      holder: owners.get(inode) ?? UNKNOWN,
    }));
    return [...new Map(ports.map((port) => [keyOf(port), port])).values()];
  }
}

/** A program that listens on `::` has, unless it asks for IPv6 alone, the port of IPv4 too. */
export function bothFamilies(port: ProcessPort): readonly ProcessPort[] {
  return port.hostIp === "::" ? [port, { ...port, hostIp: "0.0.0.0" }] : [port];
}

/** The process that holds a host port. */
export async function findPortProcess(protocol: Protocol, hostPort: number): Promise<Process> {
  const tables = await Promise.all(TABLES.filter((table) => table.startsWith(protocol)).map(readTable));
  const bound = tables.flat().filter((socket) => socket.hostPort === hostPort);
  // For TCP, the listening ones if there are any.
  const listening = bound.filter(({ state }) => state === OPEN_STATE.tcp);
  const inodes = (listening.length > 0 ? listening : bound).map(({ inode }) => inode).filter((inode) => inode !== "0");
  if (inodes.length === 0) return UNKNOWN;
  const found = await processesOf(new Set(inodes));
  return found.values().next().value ?? UNKNOWN;
}

function keyOf({ hostIp, hostPort, protocol }: HostEndpoint): string {
  return `${protocol} ${hostIp} ${hostPort}`;
}

async function readTable(table: (typeof TABLES)[number]): Promise<readonly Socket[]> {
  const lines = (await readFile(`/proc/net/${table}`, "utf8").catch(() => "")).split("\n").slice(1);
  const protocol = table.startsWith("tcp") ? "tcp" : "udp";
  return lines.flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    const [, local = "", , state = ""] = fields;
    const [address = "", port = ""] = local.split(":");
    const hostIp = addressOf(address);
    if (hostIp === undefined) return [];
    return [{ hostIp, hostPort: Number.parseInt(port, 16), protocol, state, inode: fields[9] ?? "0" }];
  });
}

/** The kernel prints an address as words of the machine's own byte order: 0100007F is 127.0.0.1. */
function addressOf(hex: string): string | undefined {
  if (!/^([0-9A-F]{8}|[0-9A-F]{32})$/.test(hex)) return undefined;
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => (word.match(/../g) ?? []).reverse());
  if (bytes.length === 4) return bytes.map((byte) => Number.parseInt(byte, 16)).join(".");
  const groups = Array.from({ length: 8 }, (_, at) => `${bytes[2 * at]}${bytes[2 * at + 1]}`);
  return canonicalIp(groups.join(":"));
}

/** The processes that have the sockets open, by inode. */
async function processesOf(inodes: ReadonlySet<string>): Promise<ReadonlyMap<string, Process>> {
  const found = new Map<string, Process>();
  const own = await readlink("/proc/self/ns/net").catch(() => "");
  for (const pid of await list("/proc")) {
    if (found.size === inodes.size) break;
    if (!/^\d+$/.test(pid)) continue;
    // Processes of containers have networks of their own.
    if ((await readlink(`/proc/${pid}/ns/net`).catch(() => own)) !== own) continue;
    for (const file of await list(`/proc/${pid}/fd`)) {
      const link = await readlink(`/proc/${pid}/fd/${file}`).catch(() => "");
      const inode = link.startsWith("socket:[") ? link.slice(8, -1) : "";
      if (!inodes.has(inode) || found.has(inode)) continue;
      const command = (await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "")).trim();
      found.set(inode, { kind: "process", pid: Number(pid), command: command === "" ? undefined : command });
    }
  }
  return found;
}

function list(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
