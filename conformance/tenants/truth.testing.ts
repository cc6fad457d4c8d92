import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { BerthWithDirectory } from "../berth.testing.ts";

/** What a user may have at most, in the terms of its constraints. */
export interface Limits {
  readonly containers: number;
  /** Bytes. */
  readonly memory: number;
  readonly cpu: number;
  readonly pids: number;
  readonly ports: { readonly start: number; readonly end: number };
  /** The one folder of the host that it may mount, read-only. */
  readonly folder: string;
}

/** The capabilities of a container without privileges (moby `oci/caps/defaults.go`), as `/proc/PID/status` shows them. */
const DEFAULT_CAPABILITIES = 0xa80425fbn;

const NAMESPACES = ["pid", "net", "ipc", "uts", "mnt"];

function read(...path: readonly string[]): string {
  return readFileSync(join(...path), "utf8").trim();
}

interface Group {
  readonly version: 1 | 2;
  readonly path: string;
}

/** The process' control group of a controller; undefined where the host has none. */
function groupOf(pid: number, controller: string): Group | undefined {
  for (const line of read(`/proc/${pid}/cgroup`).split("\n")) {
    const [, controllers = "", path = ""] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (controllers.split(",").includes(controller)) return { version: 1, path };
    if (controllers === "") return { version: 2, path };
  }
  return undefined;
}

/** The text of one of the process' cgroup files, of either cgroup version; undefined where the host has none. */
function cgroupFile(pid: number, controller: string, names: readonly [v1: string, v2: string]): string | undefined {
  const group = groupOf(pid, controller);
  if (group === undefined) return undefined;
  return group.version === 1
    ? read("/sys/fs/cgroup", controller, group.path, names[0])
    : read("/sys/fs/cgroup", group.path, names[1]);
}

function amount(text: string | undefined): number {
  return text === undefined || text === "max" || Number(text) < 0 ? Number.POSITIVE_INFINITY : Number(text);
}

function cpusOf(pid: number): number {
  const quota = cgroupFile(pid, "cpu", ["cpu.cfs_quota_us", "cpu.max"]) ?? "";
  const [first, second] = quota.split(" ");
  if (second !== undefined) return amount(first) / Number(second);
  return amount(first) / Number(cgroupFile(pid, "cpu", ["cpu.cfs_period_us", "cpu.max"]));
}

/** The processes in the control group of a container's first one: those of execs and health checks, too. */
export function processesWith(pid: number): readonly number[] {
  // The kernel shows one that has ended in the root group, with the host's own.
  if (groupOf(pid, "pids")?.path === "/") return [pid];
  const text = cgroupFile(pid, "pids", ["cgroup.procs", "cgroup.procs"]) ?? "";
  return text.split("\n").filter(Boolean).map(Number);
}

/** Why this process has more than one of a container without privileges. */
export function excessRights(pid: number): readonly string[] {
  const excess: string[] = [];
  const status = read(`/proc/${pid}/status`);
  const effective = BigInt(`0x${/^CapEff:\s*(\w+)/m.exec(status)?.[1] ?? "0"}`);
  if ((effective & ~DEFAULT_CAPABILITIES) !== 0n) excess.push(`capabilities ${effective.toString(16)}`);
  for (const kind of NAMESPACES)
    if (readlinkSync(`/proc/${pid}/ns/${kind}`) === readlinkSync(`/proc/self/ns/${kind}`))
      excess.push(`the host's namespace ${kind}`);
  if (!/^Seccomp:\s*2$/m.test(status)) excess.push("no seccomp filter");
  return excess;
}

const PATIENCE = { tries: 50, pauseMs: 100 };

/** The same, unless it is over soon: runc prepares a process with its own rights, until that executes its program. */
async function lastingExcess(pid: number): Promise<readonly string[]> {
  for (let tries = 1; ; tries++)
    try {
      const excess = excessRights(pid);
      if (excess.length === 0 || tries === PATIENCE.tries) return excess;
      await pause(PATIENCE.pauseMs);
    } catch (fault) {
      if (!hasEnded(fault)) throw fault;
      return [];
    }
}

/** Why processes in the control group of a container's first one have more than those of a container without privileges. */
export async function excessIn(pid: number): Promise<readonly string[]> {
  return (await Promise.all(processesWith(pid).map(lastingExcess))).flat();
}

/** A process ended while it was looked at. */
function hasEnded(fault: unknown): boolean {
  return /ENOENT|ESRCH/.test(String(fault));
}

/** Why this process sees more of the host's files than its user may. */
function excessMounts(pid: number, { folder }: Limits, state: string): readonly string[] {
  const excess: string[] = [];
  for (const line of read(`/proc/${pid}/mountinfo`).split("\n")) {
    const [, , , root = "", point = "", options = ""] = line.split(" ");
    const fileSystem = line.split(" - ")[1]?.split(" ")[0] ?? "";
    if (point === "/" || /^(proc|sysfs|tmpfs|devtmpfs|devpts|mqueue|cgroup2?)$/.test(fileSystem)) continue;
    if (root.includes(folder)) {
      if (!options.split(",").includes("ro")) excess.push(`${root} writable at ${point}`);
    } else if (!root.includes(state)) excess.push(`${root} of the host at ${point}`);
  }
  return excess;
}

/** Where the service listens for everybody or the host; name servers of networks listen on gateways. */
const PUBLISHING = ["0.0.0.0", "*", "[::]", "127.0.0.1", "[::1]"];

/** The TCP and UDP ports that the service listens on for containers: its own one aside. */
function heldPorts(berth: BerthWithDirectory): readonly number[] {
  const own = new URL(berth.tcp.replace("tcp:", "http:")).port;
  const lines = execFileSync("ss", ["-Hlntup"], { encoding: "utf8" }).split("\n");
  return lines.flatMap((line) => {
    const [, address = "", port = ""] = /^\S+\s+\S+\s+\S+\s+\S+\s+(\S+):(\d+)\s/.exec(line) ?? [];
    const isService = line.includes(`pid=${berth.container.pid},`);
    return isService && PUBLISHING.includes(address) && port !== own ? [Number(port)] : [];
  });
}

/**
 * What the containers of a user have beyond its limits, read from the host: processes, cgroups, mounts and sockets. Others must publish
 * no port meanwhile. A container that ends while it is looked at has nothing.
 */
export async function beyondLimits(
  berth: BerthWithDirectory,
  owner: number,
  limits: Limits,
): Promise<readonly string[]> {
  const { json } = await berth.expect([200], "GET", "/containers/json?all=1");
  const beyond: string[] = [];
  const total = { containers: 0, memory: 0, cpu: 0, pids: 0 };
  for (const { Id } of json as readonly { readonly Id: string }[]) {
    const { status, json: shown } = await berth.ask("GET", `/containers/${Id}/json`);
    if (status !== 200 || !(await isOwn(berth, owner, shown.Name, Id))) continue;
    total.containers += 1;
    const pid = shown.State.Running ? Number(shown.State.Pid) : 0;
    if (pid === 0) continue;
    try {
      const excess = [...(await excessIn(pid)), ...excessMounts(pid, limits, berth.state)];
      beyond.push(...excess.map((text) => `${shown.Name}: ${text}`));
      total.memory += amount(cgroupFile(pid, "memory", ["memory.limit_in_bytes", "memory.max"]));
      total.cpu += cpusOf(pid);
      total.pids += amount(cgroupFile(pid, "pids", ["pids.max", "pids.max"]));
    } catch (fault) {
      if (!hasEnded(fault)) throw fault;
    }
  }
  for (const name of ["containers", "memory", "cpu", "pids"] as const)
    if (total[name] > limits[name] * 1.000_001) beyond.push(`${name} ${total[name]} of at most ${limits[name]}`);
  for (const port of heldPorts(berth))
    if (port < limits.ports.start || port > limits.ports.end) beyond.push(`port ${port}`);
  return beyond;
}

async function isOwn(berth: BerthWithDirectory, owner: number, name: string, id: string): Promise<boolean> {
  const { status, json } = await berth.ask("GET", `/containers/${owner}${name}/json`);
  return status === 200 && json.Id === id;
}
