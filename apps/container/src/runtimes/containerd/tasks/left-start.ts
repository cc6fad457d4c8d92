import { readdir, readFile, readlink, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { EngineError } from "../../../engine/errors.ts";
import type { ContainerId } from "../../../engine/ids.ts";
import { removeGroup } from "../../../host/control-groups.ts";
import { exists } from "../../../host/exists.ts";
import type { Patience } from "../client/patience.ts";
import type { Places } from "../io/places.ts";
import { mountPointsUnder, unmountEach } from "../rootfs/mount.ts";
import { clearRuncState, runcRoot } from "./runc-state.ts";

/** Where containerd keeps the bundles of tasks, below its state folder and by namespace. */
export const BUNDLES = "io.containerd.runtime.v2.task";

const POLL_MS = 20;
const KILL_LIMIT_MS = 15_000;

/** How long a bundle may be without a shim while containerd still works on a start: it makes the one, and then the other. */
const BUNDLE_ALONE_MS = 500;

/** Where containerd keeps what its shim needs of a task. */
export interface BundlePlace {
  /** containerd's folder for what ends with the uptime: its setting `state`. */
  readonly containerdState: string;
  readonly namespace: string;
}

function bundleOf(id: string, { containerdState, namespace }: BundlePlace): string {
  return join(containerdState, BUNDLES, namespace, id);
}

/** The containers of which a start was cut off: its service ended before the task was there, or was discarded. */
export async function startsCutOff({
  ios,
  starting,
}: Pick<Places, "ios" | "starting">): Promise<readonly ContainerId[]> {
  const ids = (await readdir(ios).catch(() => [])) as readonly ContainerId[];
  const isCutOff = await Promise.all(ids.map((id) => exists(starting(id))));
  return ids.filter((_, index) => isCutOff[index]);
}

/**
 * Removes what a start that was cut off left of a container without a task.
 *
 * The end of the service cancels the call, and containerd then removes the bundle under a shim that goes on, knows of no task, and never
 * ends. Where containerd was killed and its shim had not got far, containerd cannot clear away the bundle when it is back, and refuses
 * every new task of that id: `mkdir …: file exists`. Where runc had not got far, or hangs, nothing knows of its control groups, and of what is in them.
 *
 * @param options.cgroup the container's control group, below each hierarchy.
 */
export async function clearLeftStart(
  id: string,
  place: BundlePlace,
  { cgroup, patience }: { readonly cgroup: string | undefined; readonly patience: Patience },
): Promise<void> {
  await endPrograms(id, place);
  await clearRuncState(place.namespace, id, patience);
  if (cgroup !== undefined) await removeGroup(cgroup);
  await removeBundle(id, place);
}

async function removeBundle(id: string, place: BundlePlace): Promise<void> {
  const bundle = bundleOf(id, place);
  if (!(await exists(bundle))) return;
  await unmountEach(await mountPointsUnder(bundle));
  // Removing a folder with a mount in it would remove the container's files.
  if ((await mountPointsUnder(bundle)).length > 0)
    throw new EngineError("failed", `container ${id}: its root file system could not be unmounted from ${bundle}`);
  const work = await readlink(join(bundle, "work")).catch(() => undefined);
  await rm(bundle, { recursive: true, force: true });
  if (work !== undefined && basename(work) === id) await rm(work, { recursive: true, force: true });
}

/** Kills the container's shims, commands that are about to start one, and their runc, until containerd is about to start none. */
async function endPrograms(id: string, place: BundlePlace): Promise<void> {
  let aloneMs = 0;
  for (let waitedMs = 0; waitedMs < KILL_LIMIT_MS; waitedMs += POLL_MS) {
    const pids = (await programsOf(id, place.namespace)).map(({ pid }) => pid);
    if (pids.length === 0 && (aloneMs >= BUNDLE_ALONE_MS || !(await exists(bundleOf(id, place))))) return;
    for (const pid of pids) killIfThere(pid);
    aloneMs = pids.length === 0 ? aloneMs + POLL_MS : 0;
    await delay(POLL_MS);
  }
  throw new EngineError("unavailable", `container ${id}: a shim of an earlier start does not end`);
}

/** Kills every runc that works on the container. */
export async function endRunc(id: string, namespace: string): Promise<void> {
  for (const { pid, isRunc } of await programsOf(id, namespace)) if (isRunc) killIfThere(pid);
}

interface Program {
  readonly pid: number;
  readonly isRunc: boolean;
}

/** The processes of shims and of runc with that id. One that has ended and was not waited for has no arguments. */
async function programsOf(id: string, namespace: string): Promise<readonly Program[]> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
      const [program = "", ...args] = text.split("\0");
      const has = (option: string, value: string) => args[args.indexOf(option) + 1] === value;
      const isShim = basename(program).startsWith("containerd-shim") && has("-id", id) && has("-namespace", namespace);
      const isRunc = basename(program) === "runc" && has("--root", runcRoot(namespace)) && args.includes(id);
      return isShim || isRunc ? [{ pid: Number(name), isRunc }] : [];
    }),
  );
  return found.flat();
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown && thrown.code === "ESRCH")) throw thrown;
  }
}
