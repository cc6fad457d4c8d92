import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** Where the control groups are. */
export const ROOT = "/sys/fs/cgroup";
const PERIOD_US = 100_000;
/** The controllers that set limits. */
const LIMITING = ["memory", "pids", "cpu"];

/** What everything in a control group may use together; undefined for no limit. Swap is not to be had beside the memory. */
export interface GroupLimits {
  /** Bytes. */
  readonly memory: number | undefined;
  readonly cpus: number | undefined;
  readonly pids: number | undefined;
}

/** Whether the host has control groups of version 2 alone. */
export async function isUnified(): Promise<boolean> {
  return (await readFile(join(ROOT, "cgroup.controllers"), "utf8").catch(() => undefined)) !== undefined;
}

function cpuQuota(cpus: number): number {
  return Math.max(1000, Math.round(cpus * PERIOD_US));
}

async function set(folder: string, file: string, value: number | string | undefined): Promise<void> {
  if (value !== undefined) await writeFile(join(folder, file), String(value));
}

/** Every group from the root down to `name` itself. */
function pathTo(name: string): readonly string[] {
  const parts = name.split("/");
  return [ROOT, ...parts.map((_, at) => join(ROOT, ...parts.slice(0, at + 1)))];
}

async function limitUnified(name: string, { memory, cpus, pids }: GroupLimits): Promise<void> {
  const folder = join(ROOT, name);
  await mkdir(folder, { recursive: true });
  const offered = (await readFile(join(ROOT, "cgroup.controllers"), "utf8")).trim().split(" ");
  const controllers = LIMITING.filter((controller) => offered.includes(controller));
  // A group has its limits from its parent's controllers, all the way down.
  for (const above of pathTo(name))
    await writeFile(join(above, "cgroup.subtree_control"), controllers.map((controller) => `+${controller}`).join(" "));
  const there = new Set(await readdir(folder));
  // Not there where the kernel does not count swap.
  await set(folder, "memory.swap.max", memory === undefined || !there.has("memory.swap.max") ? undefined : 0);
  await set(folder, "memory.max", memory);
  await set(folder, "pids.max", pids);
  await set(folder, "cpu.max", cpus === undefined ? undefined : `${cpuQuota(cpus)} ${PERIOD_US}`);
}

/** The file of the limit on memory and swap together; not there where the kernel does not count swap. */
const WITH_SWAP = "memory.memsw.limit_in_bytes";

async function limitMemory(folder: string, memory: number): Promise<void> {
  const hasSwap = (await readdir(folder)).includes(WITH_SWAP);
  const before = Number(await readFile(join(folder, "memory.limit_in_bytes"), "utf8"));
  // The sum never lies below the memory alone: a rising sum comes first, a falling one last.
  if (hasSwap && memory > before) await set(folder, WITH_SWAP, memory);
  await set(folder, "memory.limit_in_bytes", memory);
  if (hasSwap) await set(folder, WITH_SWAP, memory);
}

async function limitByController(name: string, { memory, cpus, pids }: GroupLimits): Promise<void> {
  const mounted = await readdir(ROOT);
  const controllers = LIMITING.filter((controller) => mounted.includes(controller));
  const at = (controller: string) => join(ROOT, controller, name);
  for (const controller of controllers) await mkdir(at(controller), { recursive: true });
  if (controllers.includes("memory") && memory !== undefined) await limitMemory(at("memory"), memory);
  if (controllers.includes("pids")) await set(at("pids"), "pids.max", pids);
  if (controllers.includes("cpu") && cpus !== undefined) {
    await set(at("cpu"), "cpu.cfs_period_us", PERIOD_US);
    await set(at("cpu"), "cpu.cfs_quota_us", cpuQuota(cpus));
  }
}

/** Makes the control group `name` (`berth/place`), of either version, or gives the one that is there these limits. */
export async function limitGroup(name: string, limits: GroupLimits): Promise<void> {
  await ((await isUnified()) ? limitUnified(name, limits) : limitByController(name, limits));
}

/**
 * Makes a group without limits of its own in `name`, in which processes may be: with version 2 they are in the leaves of the tree alone.
 *
 * @returns the files by which a process joins.
 */
export async function makeLeaf(name: string, leaf: string): Promise<readonly string[]> {
  if (!(await isUnified())) {
    const mounted = await readdir(ROOT);
    const controllers = LIMITING.filter((controller) => mounted.includes(controller));
    return controllers.map((controller) => join(ROOT, controller, name, "cgroup.procs"));
  }
  await mkdir(join(ROOT, name, leaf), { recursive: true });
  return [join(ROOT, name, leaf, "cgroup.procs")];
}

/** Whether the control group is there. */
export function hasGroup(name: string): boolean {
  return [ROOT, join(ROOT, "memory")].some((tree) => existsSync(join(tree, name)));
}

/** Where the group is: in the tree of version 2, or in that of each controller. */
async function foldersOf(name: string): Promise<readonly string[]> {
  const trees = (await isUnified()) ? [] : await readdir(ROOT).catch(() => []);
  return [ROOT, ...trees.map((tree) => join(ROOT, tree))].map((tree) => join(tree, name));
}

/** Removes the group and those below it, with what is in them or where they are empty. False where something is left. */
async function removeTree(folder: string, { kill }: { readonly kill: boolean }): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return true;
  for (const entry of entries) if (entry.isDirectory()) await removeTree(join(folder, entry.name), { kill });
  if (kill) await killAll(folder);
  return rmdir(folder).then(
    () => true,
    () => false,
  );
}

async function killAll(folder: string): Promise<void> {
  const pids = await readFile(join(folder, "cgroup.procs"), "utf8").catch(() => "");
  for (const pid of pids.split("\n").map(Number))
    if (pid > 0) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended meanwhile.
      }
    }
}

const PATIENCE_MS = 10_000;

/** Ends everything in the control group and removes it. Idempotent. Throws if the kernel does not let go of it. */
export async function removeGroup(name: string): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  for (const folder of await foldersOf(name)) {
    while (!(await removeTree(folder, { kill: true }))) {
      if (Date.now() > until) throw new Error(`the control group ${folder} could not be removed`);
      await delay(20);
    }
  }
}

/** Removes the control group and those below it. One with a process in it stays. */
export async function removeEmptyGroups(name: string): Promise<void> {
  for (const folder of await foldersOf(name)) await removeTree(folder, { kill: false });
}

/** Whether the kernel killed a process of the control group for want of memory. */
export async function ranOutOfMemory(name: string): Promise<boolean> {
  const files = [join(ROOT, "memory", name, "memory.oom_control"), join(ROOT, name, "memory.events")];
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8").catch(() => "")));
  return texts.some((text) => /^oom_kill [1-9]/m.test(text));
}
