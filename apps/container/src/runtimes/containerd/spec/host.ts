import { lstat, readdir, readFile, stat } from "node:fs/promises";
import { release } from "node:os";
import { join } from "node:path";
import type { ContainerSpec } from "../../../containers/records/runtime.ts";
import { EngineError } from "../../../engine/errors.ts";
import { hasAppArmor } from "../../../host/apparmor.ts";
import { exists } from "../../../host/exists.ts";
import { capabilitiesOfMask } from "./capabilities.ts";
import type { DeviceNode } from "./devices.ts";
import type { CgroupFacts, FoundThrottle } from "./resources.ts";
import type { SpecHost } from "./spec.ts";

/** Reads what this machine can do and what it lets us do. */
export async function readHost(): Promise<SpecHost> {
  const status = await readFile("/proc/self/status", "utf8");
  const mask = (name: string) => BigInt(`0x${new RegExp(`^${name}:\\s*([0-9a-f]+)`, "m").exec(status)?.[1] ?? "0"}`);
  const capabilities = capabilitiesOfMask((mask("CapEff") & mask("CapBnd")).toString(16));
  const [major = 0, minor = 0] = release().split(".").map(Number);
  const oomScoreAdj = Number(await readFile("/proc/self/oom_score_adj", "utf8"));
  return {
    architecture: GO_ARCHITECTURE[process.arch] ?? process.arch,
    kernel: [major, minor],
    cgroups: await readCgroups(),
    capabilities,
    hardLimits: capabilities.includes("CAP_SYS_RESOURCE")
      ? {}
      : parseLimits(await readFile("/proc/self/limits", "utf8")),
    lowestOomScoreAdj: capabilities.includes("CAP_SYS_RESOURCE") ? -1000 : oomScoreAdj,
    apparmor: await hasAppArmor(),
  };
}

const GO_ARCHITECTURE: Readonly<Record<string, string>> = {
  x64: "amd64",
  arm64: "arm64",
  arm: "arm",
  ia32: "386",
  s390x: "s390x",
};

/** A hybrid host has a v2 tree too, but its controllers are v1's: it counts as 1, as for runc. */
async function readCgroups(): Promise<CgroupFacts> {
  if (await exists("/sys/fs/cgroup/cgroup.controllers")) return { version: 2, swapLimit: true, blkioWeight: true };
  return {
    version: 1,
    swapLimit: await exists("/sys/fs/cgroup/memory/memory.memsw.limit_in_bytes"),
    blkioWeight:
      (await exists("/sys/fs/cgroup/blkio/blkio.weight")) || (await exists("/sys/fs/cgroup/blkio/blkio.bfq.weight")),
  };
}

/** How /proc/PID/limits names what ulimits call otherwise. */
const LIMIT_NAMES: Readonly<Record<string, string>> = {
  "Max cpu time": "cpu",
  "Max file size": "fsize",
  "Max data size": "data",
  "Max stack size": "stack",
  "Max core file size": "core",
  "Max resident set": "rss",
  "Max processes": "nproc",
  "Max open files": "nofile",
  "Max locked memory": "memlock",
  "Max address space": "as",
  "Max file locks": "locks",
  "Max pending signals": "sigpending",
  "Max msgqueue size": "msgqueue",
  "Max nice priority": "nice",
  "Max realtime priority": "rtprio",
  "Max realtime timeout": "rttime",
};

/** The hard limits that are limits, from /proc/PID/limits. */
export function parseLimits(text: string): Readonly<Record<string, number>> {
  return Object.fromEntries(
    text.split("\n").flatMap((line) => {
      const [, title = "", , hard = ""] = /^(Max [a-z ]+?)\s{2,}(\S+)\s+(\S+)/.exec(line) ?? [];
      const name = LIMIT_NAMES[title];
      return name === undefined || hard === "unlimited" ? [] : [[name, Number(hard)]];
    }),
  );
}

/** The device nodes of a spec: those it names (all below a folder), or every one of the host for a privileged container. */
export async function findDevices(spec: Pick<ContainerSpec, "devices" | "privileged">): Promise<readonly DeviceNode[]> {
  const named = await Promise.all(
    spec.devices.map(async ({ hostPath, path, permissions }) => {
      const found = await nodesAt(hostPath, path, permissions || "rwm");
      if (found.length > 0) return found;
      const why = (await exists(hostPath)) ? "not a device node" : "no such file or directory";
      throw new EngineError(
        "invalid",
        `error gathering device information while adding custom device "${hostPath}": ${why}`,
      );
    }),
  );
  const all = spec.privileged ? await nodesAt("/dev", "/dev", "rwm") : [];
  const byPath = new Map([...all, ...named.flat()].map((node) => [node.path, node]));
  return [...byPath.values()];
}

/** dev_t as glibc's gnu_dev_major and gnu_dev_minor take it apart. */
function numbersOf(rdev: number): { readonly major: number; readonly minor: number } {
  const device = BigInt(rdev);
  return {
    major: Number(((device >> 8n) & 0xfffn) | ((device >> 32n) & ~0xfffn)),
    minor: Number((device & 0xffn) | ((device >> 12n) & ~0xffn)),
  };
}

/**
 * The block devices that a spec's throttles name. Throws `invalid`, in the same words for a file that is none: who may set a
 * limit is not thereby told which files the host has.
 */
export function findThrottles({ throttles = [] }: Pick<ContainerSpec, "throttles">): Promise<readonly FoundThrottle[]> {
  return Promise.all(
    throttles.map(async ({ kind, path, rate }) => {
      const info = await stat(path).catch(() => undefined);
      if (info?.isBlockDevice()) return { kind, rate, ...numbersOf(info.rdev) };
      throw new EngineError("invalid", `stat ${path}: no such file or directory`);
    }),
  );
}

/** What every container has its own of. */
const OWN_IN_CONTAINER = new Set([
  "/dev/pts",
  "/dev/shm",
  "/dev/fd",
  "/dev/mqueue",
  "/dev/console",
  "/dev/ptmx",
  "/dev/.lxc",
]);

async function nodesAt(hostPath: string, path: string, permissions: string): Promise<readonly DeviceNode[]> {
  const info = await stat(hostPath).catch(() => undefined);
  if (info?.isDirectory()) {
    // Links (/dev/stdin) would bring what they point at in our own process.
    const names = await readdir(hostPath);
    const below = names
      .map((name) => join(hostPath, name))
      .filter((child) => !OWN_IN_CONTAINER.has(child))
      .map(async (child) => {
        const isLink = (await lstat(child).catch(() => undefined))?.isSymbolicLink() ?? true;
        return isLink ? [] : await nodesAt(child, join(path, child.slice(hostPath.length)), permissions);
      });
    return (await Promise.all(below)).flat();
  }
  if (!info?.isCharacterDevice() && !info?.isBlockDevice()) return [];
  return [
    {
      path,
      type: info.isBlockDevice() ? "b" : "c",
      ...numbersOf(info.rdev),
      fileMode: info.mode & 0o7777,
      uid: info.uid,
      gid: info.gid,
      permissions,
    },
  ];
}
