import { posix } from "node:path";
import type { Context } from "../context.ts";
import type { Container } from "../records/container.ts";
import type { LayerPath } from "../records/runtime.ts";
import type { Change } from "./archives.ts";
import type { ArchiveFiles } from "./files.ts";

/** Mount points that the runtime creates in every root file system. */
const PLACES_TO_MOUNT = [
  "/dev",
  "/dev/console",
  "/dev/mqueue",
  "/dev/pts",
  "/dev/shm",
  "/proc",
  "/sys",
  "/sys/fs/cgroup",
  "/etc/hosts",
  "/etc/hostname",
  "/etc/resolv.conf",
  "/sbin/docker-init",
];

/** Adds the parent directories of a path, nearest first and without the root, up to one that is there: its parents are there, too. */
function addAbove(folders: Set<string>, path: string): void {
  for (let folder = posix.dirname(path); folder !== "/" && !folders.has(folder); folder = posix.dirname(folder))
    folders.add(folder);
}

function foldersAbove(paths: readonly LayerPath[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const { path } of paths) addAbove(folders, path);
  return folders;
}

/**
 * Pure: converts a layer's paths to the list of `docker diff`, as if the image had none of them. Parent directories of a change are listed
 * as modified.
 *
 * @param hidden the mount points: neither they nor directories that changed only because of them are listed.
 */
export function changesOf(layer: readonly LayerPath[], hidden: ReadonlySet<string>): readonly Change[] {
  const folders = foldersAbove(layer);
  const ends = layer.filter(({ path }) => !folders.has(path));
  const aboveHidden = foldersAbove(layer.filter(({ path }) => hidden.has(path)));
  const aboveShown = foldersAbove(ends.filter(({ path }) => !hidden.has(path)));
  const changes = new Map<string, Change>();
  const modified = new Set<string>();
  for (const { path, deleted } of layer) {
    if (path === "/" || hidden.has(path) || (aboveHidden.has(path) && !aboveShown.has(path))) continue;
    changes.set(path, { path, kind: deleted ? "deleted" : "added" });
    addAbove(modified, path);
  }
  for (const path of modified)
    if (!changes.has(path) && !hidden.has(path)) changes.set(path, { path, kind: "modified" });
  return [...changes.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Pure: what the image has as well is modified, and not added. */
export function besideImage(changes: readonly Change[], existing: ReadonlySet<string>): readonly Change[] {
  return changes.map((change) =>
    change.kind === "added" && existing.has(change.path) ? { ...change, kind: "modified" } : change,
  );
}

/** `GET /containers/{id}/changes`. */
export async function listChanges(
  { runtime }: Pick<Context, "runtime">,
  files: ArchiveFiles,
  { id, mounts, hostConfig }: Container,
): Promise<readonly Change[]> {
  const layer = await runtime.changedPaths(id);
  const mounted = [...mounts.map(({ destination }) => destination), ...Object.keys(hostConfig.Tmpfs ?? {})];
  const hidden = new Set([...PLACES_TO_MOUNT, ...mounted]);
  const changes = changesOf(layer, hidden);
  // The layers below are mounted only to ask for what they may have as well.
  const paths = changes.filter(({ kind }) => kind === "added").map(({ path }) => path);
  if (paths.length === 0) return changes;
  const existing = await runtime.withBase(id, (root) => files.existing({ root, mounts: [], access: "ro" }, paths));
  return besideImage(changes, existing);
}
