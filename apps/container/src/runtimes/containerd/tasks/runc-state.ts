import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { removeEmptyGroups } from "../../../host/control-groups.ts";
import { runProgram } from "../../../host/run-program.ts";
import type { Patience } from "../client/patience.ts";

/** Where containerd's shim has runc keep its state, by namespace. */
const RUNC_ROOT = "/run/containerd/runc";

const TIMEOUT_MS = 10_000;

/** The folder that the shims of a namespace give to runc as its `--root`. */
export function runcRoot(namespace: string): string {
  return join(RUNC_ROOT, namespace);
}

/**
 * Deletes what runc remembers of a container that has no task: a shim that was killed leaves it, and runc then refuses a new container
 * of the same id. What still runs of the old one is killed.
 */
export async function clearRuncState(namespace: string, id: string, patience: Patience): Promise<void> {
  const root = runcRoot(namespace);
  const there = await stat(join(root, id)).catch(() => undefined);
  if (there === undefined) return;
  await runProgram("runc", ["--root", root, "delete", "--force", id], { timeout: patience(TIMEOUT_MS) }).catch(
    () => {},
  );
  await rm(join(root, id), { recursive: true, force: true });
}

/**
 * Removes what runc leaves of an instance that runs nothing any more, and containerd does not clear away: the folder of its state, and
 * its control groups, also those of containers whose shim was killed. A group with a process in it stays.
 */
export async function clearRuncFolders(instance: string): Promise<void> {
  await rm(runcRoot(instance), { recursive: true, force: true });
  await removeEmptyGroups(instance);
}
