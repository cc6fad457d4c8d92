import { readFile } from "node:fs/promises";
import { arch, cpus, hostname, machine, release, totalmem } from "node:os";
import { hasAppArmor } from "./apparmor.ts";
import { exists } from "./exists.ts";
import type { Host, HostFacts, InterfaceCounters } from "./host.ts";
import { readLimits } from "./read-limits.ts";
import { readProc } from "./read-proc.ts";

/** Nanoseconds per tick of `/proc/stat`: USER_HZ is 100 in every Linux ABI. */
const TICK = 10_000_000;

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386" };

async function osRelease(): Promise<ReadonlyMap<string, string>> {
  const text = await readFile("/etc/os-release", "utf8").catch(() => "");
  return new Map(
    text.split("\n").flatMap((line) => {
      const [, key, value] = /^(\w+)="?(.*?)"?$/.exec(line) ?? [];
      return key === undefined || value === undefined ? [] : [[key, value] as const];
    }),
  );
}

async function readCpuTime(): Promise<number> {
  const [line = ""] = (await readFile("/proc/stat", "utf8")).split("\n", 1);
  // user nice system idle iowait irq softirq steal; user includes guest time (proc(5)).
  const ticks = line.trim().split(/\s+/).slice(1, 9);
  return ticks.reduce((sum, value) => sum + Number(value), 0) * TICK;
}

let reading: Promise<number> | undefined;

/** All who ask at the same time share one reading: many containers' stats come at once. */
function cpuTime(): Promise<number> {
  reading ??= readCpuTime().finally(() => {
    reading = undefined;
  });
  return reading;
}

function countersOf(fields: readonly string[]): InterfaceCounters {
  const [rxBytes, rxPackets, rxErrors, rxDropped, , , , , txBytes, txPackets, txErrors, txDropped] = fields.map(Number);
  return {
    rx_bytes: rxBytes ?? 0,
    rx_packets: rxPackets ?? 0,
    rx_errors: rxErrors ?? 0,
    rx_dropped: rxDropped ?? 0,
    tx_bytes: txBytes ?? 0,
    tx_packets: txPackets ?? 0,
    tx_errors: txErrors ?? 0,
    tx_dropped: txDropped ?? 0,
  };
}

/** The interfaces in `/proc/PID/net/dev` except loopback, as Docker counts them. */
async function interfaces(pid: number): Promise<Readonly<Record<string, InterfaceCounters>> | undefined> {
  const text = readProc(`/proc/${pid}/net/dev`);
  if (text === undefined) return undefined;
  const entries = text.split("\n").flatMap((line) => {
    const [name, counters] = line.split(":");
    if (name === undefined || counters === undefined || name.trim() === "lo") return [];
    return [[name.trim(), countersOf(counters.trim().split(/\s+/))] as const];
  });
  return Object.fromEntries(entries);
}

/** The local machine. `service` holds what only the composition root knows. */
export async function openLinuxHost(
  service: Pick<HostFacts, "id" | "stateDirectory" | "berthVersion" | "runtime" | "mirrors" | "insecureRegistries">,
): Promise<Host> {
  const distribution = await osRelease();
  const unified = await exists("/sys/fs/cgroup/cgroup.controllers");
  const facts: HostFacts = {
    ...service,
    name: hostname(),
    cpus: cpus().length,
    memory: totalmem(),
    kernelVersion: release(),
    operatingSystem: distribution.get("PRETTY_NAME") ?? "Linux",
    osVersion: distribution.get("VERSION_ID") ?? "",
    machine: machine(),
    architecture: ARCHITECTURES[arch()] ?? arch(),
    cgroupVersion: unified ? "2" : "1",
    limits: await readLimits("/sys/fs/cgroup"),
    apparmor: await hasAppArmor(),
    cpuRealtime: await exists("/sys/fs/cgroup/cpu/cpu.rt_runtime_us"),
  };
  return { facts, cpuTime, interfaces };
}
