import { readdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runProgram } from "../../../host/run-program.ts";
import { mountPointsUnder } from "../rootfs/mount.ts";
import { BUNDLES } from "../tasks/left-start.ts";

/**
 * Makes containerd's folder for what ends with the uptime a mount of its own, which `native/runc-mounts.c` leaves out for a container at once,
 * with the root file systems of all others. No other mount namespace hears of what is mounted in it. Not while there are bundles: it would
 * cover their mounts. Call it while containerd does not run.
 */
export async function mountState(folder: string): Promise<void> {
  const real = await realpath(folder);
  if (!(await isMountPoint(real))) {
    if (await hasBundles(real)) return;
    await runProgram("mount", ["--bind", real, real]);
  }
  // Also where a kill came between the two.
  await runProgram("mount", ["--make-private", real]);
}

/** Takes the mount away, unless there are bundles. Call it when containerd has ended. */
export async function unmountState(folder: string): Promise<void> {
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined) return;
  // A shim that is about to end may still have its working directory there.
  if ((await isMountPoint(real)) && !(await hasBundles(real))) await runProgram("umount", ["-l", real]);
}

async function isMountPoint(path: string): Promise<boolean> {
  return (await mountPointsUnder(dirname(path))).includes(path);
}

async function hasBundles(folder: string): Promise<boolean> {
  const bundles = join(folder, BUNDLES);
  const namespaces = await readdir(bundles).catch(() => []);
  const found = await Promise.all(namespaces.map((namespace) => readdir(join(bundles, namespace)).catch(() => [])));
  return found.some((ids) => ids.length > 0);
}
