import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { BuildLimits } from "../builder.ts";

const ROOT = "/sys/fs/cgroup";
const PERIOD_US = 100_000;

export interface BuildCgroup {
  /** The files by which the builder joins. */
  readonly joins: readonly string[];
  /** The group of the steps, as the runtime names it. */
  readonly parent: string;
}

async function isUnified(): Promise<boolean> {
  return (await readFile(join(ROOT, "cgroup.controllers"), "utf8").catch(() => undefined)) !== undefined;
}

function nameOf(instance: string, id: string): string {
  return join(instance, `build-${id.slice(0, 12)}`);
}

async function set(folder: string, file: string, value: number | string | undefined): Promise<void> {
  if (value !== undefined) await writeFile(join(folder, file), String(value));
}

async function createUnified(name: string, { memory, cpus, pids }: BuildLimits): Promise<BuildCgroup> {
  const folder = join(ROOT, name);
  await mkdir(join(folder, "builder"), { recursive: true });
  const offered = (await readFile(join(ROOT, "cgroup.controllers"), "utf8")).trim().split(" ");
  const controllers = ["memory", "pids", "cpu"].filter((controller) => offered.includes(controller));
  // A group has its limits from its parent's controllers, all the way down. Processes are in its leaves alone: `builder`, and below `steps`.
  for (const above of [ROOT, join(ROOT, name.split("/")[0] ?? ""), folder])
    await writeFile(join(above, "cgroup.subtree_control"), controllers.map((controller) => `+${controller}`).join(" "));
  const there = new Set(await readdir(folder));
  const limits = {
    "memory.max": memory,
    // Not there where the kernel does not count swap.
    "memory.swap.max": memory === undefined || !there.has("memory.swap.max") ? undefined : 0,
    "pids.max": pids,
    "cpu.max": cpus === undefined ? undefined : `${Math.max(1000, Math.round(cpus * PERIOD_US))} ${PERIOD_US}`,
  };
  for (const [file, value] of Object.entries(limits)) await set(folder, file, value);
  return { joins: [join(folder, "builder", "cgroup.procs")], parent: `/${name}/steps` };
}

async function createByController(name: string, { memory, cpus, pids }: BuildLimits): Promise<BuildCgroup> {
  const mounted = await readdir(ROOT);
  const controllers = ["memory", "pids", "cpu"].filter((controller) => mounted.includes(controller));
  for (const controller of controllers) await mkdir(join(ROOT, controller, name), { recursive: true });
  const at = (controller: string) => join(ROOT, controller, name);
  if (controllers.includes("memory")) await set(at("memory"), "memory.limit_in_bytes", memory);
  if (controllers.includes("pids")) await set(at("pids"), "pids.max", pids);
  if (controllers.includes("cpu") && cpus !== undefined) {
    await set(at("cpu"), "cpu.cfs_period_us", PERIOD_US);
    await set(at("cpu"), "cpu.cfs_quota_us", Math.max(1000, Math.round(cpus * PERIOD_US)));
  }
  return { joins: controllers.map((controller) => join(at(controller), "cgroup.procs")), parent: `/${name}/steps` };
}

/** What the builder takes beside its steps, which have a limit of their own. */
const BUILDER_BYTES = 256 << 20;

/** Makes the control group of a build, for the builder and its steps together, of either version. */
export async function createCgroup(instance: string, id: string, wish: BuildLimits): Promise<BuildCgroup> {
  const limits = { ...wish, memory: wish.memory === undefined ? undefined : wish.memory + BUILDER_BYTES };
  const name = nameOf(instance, id);
  return (await isUnified()) ? createUnified(name, limits) : createByController(name, limits);
}

async function foldersOf(name: string): Promise<readonly string[]> {
  if (await isUnified()) return [join(ROOT, name)];
  return (await readdir(ROOT)).map((controller) => join(ROOT, controller, name));
}

/** Kills what is in the group and in those below, and removes them. */
async function removeTree(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return true;
  for (const entry of entries) if (entry.isDirectory()) await removeTree(join(folder, entry.name));
  const pids = await readFile(join(folder, "cgroup.procs"), "utf8").catch(() => "");
  for (const pid of pids.split("\n").map(Number))
    if (pid > 0) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended meanwhile.
      }
    }
  return rmdir(folder).then(
    () => true,
    () => false,
  );
}

const PATIENCE_MS = 10_000;

/** Ends everything in the build's control group and removes it. Idempotent. Throws if the kernel does not let go of it. */
export async function removeCgroup(instance: string, id: string): Promise<void> {
  const name = nameOf(instance, id);
  const until = Date.now() + PATIENCE_MS;
  for (const folder of await foldersOf(name)) {
    while (!(await removeTree(folder))) {
      if (Date.now() > until) throw new Error(`the control group ${folder} could not be removed`);
      await delay(20);
    }
  }
}
