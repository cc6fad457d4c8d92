import { randomBytes } from "node:crypto";
import { lstat, mkdir, readFile, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { LayerPath } from "../../../containers/records/runtime.ts";
import { contentSize, diskUsage } from "../../../host/content-size.ts";
import { layerPaths } from "../../../host/layer-paths.ts";
import type { Mount } from "../client/snapshots.ts";
import type { UserFiles } from "../spec/user.ts";
import { readInside } from "./inside.ts";
import { mountAll, unmount } from "./mount.ts";

/** Runs `use` with the snapshot mounted in a folder of its own below `dir`, and takes the mount away again. */
export async function withMounted<T>(
  mounts: readonly Mount[],
  dir: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(dir, `rootfs-${randomBytes(6).toString("hex")}`);
  await mkdir(path, { recursive: true, mode: 0o700 });
  try {
    await mountAll(mounts, path);
    try {
      return await use(path);
    } finally {
      await unmount(path);
    }
  } finally {
    await rmdir(path);
  }
}

/** The account files below `root`, as the container sees them. */
export async function readUserFiles(root: string): Promise<UserFiles> {
  const [passwd = "", group = ""] = await Promise.all([
    readInside(root, "/etc/passwd"),
    readInside(root, "/etc/group"),
  ]);
  return { passwd, group };
}

/**
 * The account files of a snapshot that is not mounted. Mounting costs two processes on the way of every start, so that the
 * layers are read as overlayfs would merge them wherever that needs no more than file types; the rest is mounted.
 * What only read-only layers hold never changes and is remembered.
 */
export function userFilesReader(dir: string): (mounts: readonly Mount[]) => Promise<UserFiles> {
  const ofLowerLayers = new Map<string, Promise<UserFiles>>();
  const read = async (mounts: readonly Mount[], layers: readonly string[]): Promise<UserFiles> => {
    const [passwd, group] = await Promise.all([readLayered(layers, "passwd"), readLayered(layers, "group")]);
    if (passwd === undefined || group === undefined) return await withMounted(mounts, dir, readUserFiles);
    return { passwd, group };
  };
  return async (mounts) => {
    const { upper, lower } = layersOf(mounts);
    if (upper !== undefined && (await lstat(join(upper, "etc")).catch(() => undefined)) !== undefined) {
      return await read(mounts, [upper, ...lower]);
    }
    const key = lower.join(":");
    const known = ofLowerLayers.get(key) ?? read(mounts, lower);
    // Images come and go: forgetting all of them now and then is enough.
    if (ofLowerLayers.size > 256) ofLowerLayers.clear();
    ofLowerLayers.set(key, known);
    known.catch(() => ofLowerLayers.delete(key));
    return await known;
  };
}

/** Bytes of the files that the uppermost layer of these mounts has of its own. */
export async function ownSize(mounts: readonly Mount[]): Promise<number> {
  const { upper } = layersOf(mounts);
  return upper === undefined ? 0 : await contentSize(upper);
}

/** What the uppermost layer of these mounts has of its own. */
export async function ownPaths(mounts: readonly Mount[]): Promise<readonly LayerPath[]> {
  const { upper } = layersOf(mounts);
  return upper === undefined ? [] : await layerPaths(upper);
}

/** Bytes of disk that the uppermost layer of these mounts takes. */
export async function ownDiskUsage(mounts: readonly Mount[]): Promise<number> {
  const { upper } = layersOf(mounts);
  return upper === undefined ? 0 : await diskUsage(upper);
}

/** The folders of an overlay from the top down. A snapshot without a parent is one folder, bound. */
function layersOf(mounts: readonly Mount[]): { readonly upper: string | undefined; readonly lower: readonly string[] } {
  const [mount] = mounts;
  if (mount?.type === "bind") return { upper: mount.source, lower: [] };
  const option = (name: string) => mount?.options.find((text) => text.startsWith(`${name}=`))?.slice(name.length + 1);
  return { upper: option("upperdir"), lower: option("lowerdir")?.split(":") ?? [] };
}

/**
 * The text of /etc/`name` merged from `layers`, "" where there is none; undefined where only a mount can tell: a link,
 * or a layer above that has the folder, which may hide all below it (its mark is an extended attribute, which Node can't read).
 */
async function readLayered(layers: readonly string[], name: string): Promise<string | undefined> {
  for (const [index, layer] of layers.entries()) {
    const folder = await lstat(join(layer, "etc")).catch(() => undefined);
    if (folder === undefined) continue;
    if (folder.isCharacterDevice()) return "";
    if (!folder.isDirectory()) return undefined;
    const path = join(layer, "etc", name);
    const file = await lstat(path).catch(() => undefined);
    if (file?.isCharacterDevice()) return "";
    // No task runs on a snapshot that is read this way, so no link can replace the file now.
    if (file?.isFile() && file.size <= 1 << 20) return await readFile(path, "utf8");
    return file === undefined && index === layers.length - 1 ? "" : undefined;
  }
  return "";
}
