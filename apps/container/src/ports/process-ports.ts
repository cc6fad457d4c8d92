import { readdirSync, readlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setImmediate as turn } from "node:timers/promises";
import { canonicalIp, type HostEndpoint, type Protocol } from "@berth/port-spec";
import type { Holder } from "./lease-store.ts";

type Process = Extract<Holder, { kind: "process" }>;

/** A host port that a program has open. */
export interface ProcessPort extends HostEndpoint {
  readonly holder: Process;
}

/** A program that nobody has looked for, or that was not found. */
export const UNKNOWN_PROCESS: Process = { kind: "process", pid: undefined, command: undefined };
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

/** A glance looks through the open files at most one part in so many of the time. */
const REST_FACTOR = 500;
const LONGEST_REST_MS = 5 * 60_000;

/**
 * The ports of this host that programs have open, with the program, through the kernel's socket tables and every process's open files.
 * Best effort: a process may end during the search, and sockets of the kernel have none.
 */
export class ProcessPorts {
  /** Whose socket an inode is. A number is used again only long after its socket is closed. */
  #owners: ReadonlyMap<string, Process> = new Map();
  #restUntil = 0;

  /** The open ports by number, without those that Berth itself holds for containers. */
  async list(leases: readonly HostEndpoint[]): Promise<readonly ProcessPort[]> {
    const sockets = await foreignSockets(leases);
    await this.#findOwners(sockets);
    return this.#named(sockets);
  }

  /** The same at a bounded cost, for who asks often: the program of a socket that is new may be unknown for minutes on a busy host. */
  async glance(leases: readonly HostEndpoint[]): Promise<readonly ProcessPort[]> {
    const sockets = await foreignSockets(leases);
    if (performance.now() >= this.#restUntil) await this.#findOwners(sockets);
    return this.#named(sockets);
  }

  /** Looks through all open files only for sockets that are new: whoever listens does so for long. */
  async #findOwners(sockets: readonly Socket[]): Promise<void> {
    const isNew = ({ inode }: Socket) => !this.#owners.has(inode);
    const begun = performance.now();
    const found = sockets.some(isNew) ? await processesOf(inodesOf(sockets.filter(isNew))) : new Map<string, Process>();
    const ended = performance.now();
    this.#restUntil = ended + Math.min((ended - begun) * REST_FACTOR, LONGEST_REST_MS);
    this.#owners = new Map(
      sockets.map(({ inode }) => [inode, this.#owners.get(inode) ?? found.get(inode) ?? UNKNOWN_PROCESS] as const),
    );
  }

  #named(sockets: readonly Socket[]): readonly ProcessPort[] {
    const ports = sockets.map(({ hostIp, hostPort, protocol, inode }) => ({
      ...{ hostIp, hostPort, protocol },
      holder: this.#owners.get(inode) ?? UNKNOWN_PROCESS,
    }));
    return [...new Map(ports.map((port) => [keyOf(port), port])).values()];
  }
}

/** The host ports that anybody has open, Berth among them. Nobody is looked for: the kernel's tables alone are read. */
export function openPorts(): Promise<readonly HostEndpoint[]> {
  return foreignSockets([]);
}

/** The open sockets by port, without those that Berth itself holds for containers. */
async function foreignSockets(leases: readonly HostEndpoint[]): Promise<readonly Socket[]> {
  const leased = new Set(leases.map(keyOf));
  const tables = await Promise.all(TABLES.map(readTable));
  return tables
    .flat()
    .filter((socket) => socket.state === OPEN_STATE[socket.protocol] && !leased.has(keyOf(socket)))
    .sort((a, b) => a.hostPort - b.hostPort)
    .slice(0, MOST);
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
  const found = await processesOf(inodesOf(listening.length > 0 ? listening : bound));
  return found.values().next().value ?? UNKNOWN_PROCESS;
}

/** A socket that is closed already has number 0. */
function inodesOf(sockets: readonly Socket[]): ReadonlySet<string> {
  return new Set(sockets.map(({ inode }) => inode).filter((inode) => inode !== "0"));
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
  const own = targetOf("/proc/self/ns/net");
  for (const pid of namesIn("/proc")) {
    if (found.size === inodes.size) break;
    if (!/^\d+$/.test(pid)) continue;
    // Processes of containers have networks of their own.
    if ((targetOf(`/proc/${pid}/ns/net`) ?? own) !== own) continue;
    for (const inode of socketsOf(pid)) {
      if (!inodes.has(inode) || found.has(inode)) continue;
      const command = (await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "")).trim();
      found.set(inode, { kind: "process", pid: Number(pid), command: command === "" ? undefined : command });
    }
    await turn();
  }
  return found;
}

/** The sockets of a process. Synchronous, which costs a fifth: the kernel answers from memory, in some microseconds each. */
function socketsOf(pid: string): readonly string[] {
  return namesIn(`/proc/${pid}/fd`).flatMap((file) => {
    const target = targetOf(`/proc/${pid}/fd/${file}`);
    return target?.startsWith("socket:[") ? [target.slice("socket:[".length, -1)] : [];
  });
}

/** Where a link of /proc leads; undefined where its process has ended. */
function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
