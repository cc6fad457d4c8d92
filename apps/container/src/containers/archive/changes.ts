import { posix } from "node:path";
import type { Readable } from "node:stream";
import { extract } from "tar-stream";
import type { Context } from "../context.ts";
import type { Container } from "../records/container.ts";
import type { Change } from "./archives.ts";
import type { ArchiveFiles } from "./files.ts";

/** An absolute path in a layer; `deleted` if it is a whiteout (OCI image layer specification). */
export interface LayerPath {
  readonly path: string;
  readonly deleted: boolean;
}

const WHITEOUT = ".wh.";

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

/** The parent directories of a path, nearest first, without the root. */
function above(path: string): readonly string[] {
  const folder = posix.dirname(path);
  return folder === "/" ? [] : [folder, ...above(folder)];
}

/**
 * Pure: converts a layer's paths to the list of `docker diff`. Parent directories of a change are listed as modified.
 *
 * @param existing the paths that exist in the image.
 * @param hidden the mount points: neither they nor directories that changed only because of them are listed.
 */
export function changesOf(
  layer: readonly LayerPath[],
  existing: ReadonlySet<string>,
  hidden: ReadonlySet<string>,
): readonly Change[] {
  const folders = new Set(layer.flatMap(({ path }) => above(path)));
  const ends = layer.filter(({ path }) => !folders.has(path));
  const aboveHidden = new Set(layer.filter(({ path }) => hidden.has(path)).flatMap(({ path }) => above(path)));
  const aboveShown = new Set(ends.filter(({ path }) => !hidden.has(path)).flatMap(({ path }) => above(path)));
  const changes = new Map<string, Change>();
  for (const { path, deleted } of layer) {
    if (path === "/" || hidden.has(path) || (aboveHidden.has(path) && !aboveShown.has(path))) continue;
    changes.set(path, { path, kind: deleted ? "deleted" : existing.has(path) ? "modified" : "added" });
    for (const folder of above(path))
      if (!changes.has(folder) && !hidden.has(folder)) changes.set(folder, { path: folder, kind: "modified" });
  }
  return [...changes.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function pathsOf(layer: Readable): Promise<readonly LayerPath[]> {
  const tar = extract();
  layer.once("error", (error) => tar.destroy(error));
  layer.pipe(tar);
  const paths: LayerPath[] = [];
  try {
    for await (const entry of tar) {
      const path = posix.join("/", entry.header.name).replace(/(.)\/$/, "$1");
      const name = posix.basename(path);
      const deleted = name.startsWith(WHITEOUT);
      // An opaque marker is listed through the directory's entries.
      if (!name.startsWith(`${WHITEOUT}${WHITEOUT}`))
        paths.push({ path: deleted ? posix.join(posix.dirname(path), name.slice(WHITEOUT.length)) : path, deleted });
      entry.resume();
    }
    return paths;
  } finally {
    layer.destroy();
    tar.destroy();
  }
}

/** `GET /containers/{id}/changes`. */
export async function listChanges(
  { runtime }: Pick<Context, "runtime">,
  files: ArchiveFiles,
  { id, layers, mounts, hostConfig }: Container,
): Promise<readonly Change[]> {
  const layer = await pathsOf(await runtime.diff(id));
  const paths = layer.filter(({ deleted }) => !deleted).map(({ path }) => path);
  const existing = await runtime.withLayers(layers, (root) =>
    files.existing({ root, mounts: [], access: "ro" }, paths),
  );
  const mounted = [...mounts.map(({ destination }) => destination), ...Object.keys(hostConfig.Tmpfs ?? {})];
  return changesOf(layer, existing, new Set([...PLACES_TO_MOUNT, ...mounted]));
}
