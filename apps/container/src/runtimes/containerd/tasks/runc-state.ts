import { readdir, readFile, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { runProgram } from "../../../host/run-program.ts";

/** Where containerd's shim has runc keep its state, by namespace. */
const RUNC_ROOT = "/run/containerd/runc";

const CGROUP_ROOT = "/sys/fs/cgroup";

const TIMEOUT_MS = 10_000;

/**
 * Deletes what runc remembers of a container that has no task: a shim that was killed leaves it, and runc then refuses a new container
 * of the same id. What still runs of the old one is killed.
 */
export async function clearRuncState(namespace: string, id: string): Promise<void> {
  const root = join(RUNC_ROOT, namespace);
  const there = await stat(join(root, id)).catch(() => undefined);
  if (there === undefined) return;
  await runProgram("runc", ["--root", root, "delete", "--force", id], { timeout: TIMEOUT_MS }).catch(() => {});
  await rm(join(root, id), { recursive: true, force: true });
}

/**
 * Removes what runc leaves of an instance that runs nothing any more, and containerd does not clear away: the folder of its state, and
 * its control groups, also those of containers whose shim was killed. A group with a process in it stays.
 */
export async function clearRuncFolders(instance: string): Promise<void> {
  await rm(join(RUNC_ROOT, instance), { recursive: true, force: true });
  await removeGroups(instance);
}

/** Whether the kernel killed a process of the control group for want of memory. */
export async function ranOutOfMemory(path: string): Promise<boolean> {
  const files = [join(CGROUP_ROOT, "memory", path, "memory.oom_control"), join(CGROUP_ROOT, path, "memory.events")];
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8").catch(() => "")));
  return texts.some((text) => /^oom_kill [1-9]/m.test(text));
}

/** Removes the control group from each hierarchy, and those below it. A group with a process in it stays. */
export async function removeGroups(path: string): Promise<void> {
  const trees = await readdir(CGROUP_ROOT).catch(() => []);
  await removeGroup(join(CGROUP_ROOT, path));
  for (const tree of trees) await removeGroup(join(CGROUP_ROOT, tree, path));
}

async function removeGroup(path: string): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await removeGroup(join(path, entry.name));
  await rmdir(path).catch(() => {});
}
