import { randomBytes } from "node:crypto";
import { chmod, lstat, mkdir, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { unlessAbsent } from "../../../engine/errors.ts";
import { unlessMissing } from "../../../host/exists.ts";
import type { Containerd } from "../client/client.ts";
import type { SnapshotOptions } from "../client/snapshots.ts";
import { withMounted } from "./rootfs.ts";

/** Makes what a path of the init layer is, where nothing is yet. */
type Make = (path: string) => Promise<void>;

const FOLDER: Make = async (path) => {
  await mkdir(path);
  await chmod(path, 0o755);
};
const FILE: Make = async (path) => {
  await writeFile(path, "");
  await chmod(path, 0o755);
};

/** What every container of Docker's finds, whatever its image has there (moby `daemon/initlayer/setup_unix.go`). */
const PLACES: Readonly<Record<string, Make>> = {
  "/dev/pts": FOLDER,
  "/dev/shm": FOLDER,
  "/proc": FOLDER,
  "/sys": FOLDER,
  // Programs tell by this file that they run in a container.
  "/.dockerenv": FILE,
  "/etc/resolv.conf": FILE,
  "/etc/hosts": FILE,
  "/etc/hostname": FILE,
  "/dev/console": FILE,
  "/etc/mtab": (path) => symlink("/proc/mounts", path),
};

/**
 * Makes the places in `root`, which nothing else writes. Folders stay; whatever else has such a path, or is on the way to it, is
 * replaced, so that no link of the image leads out of `root`.
 */
async function makePlaces(root: string): Promise<void> {
  for (const [path, make] of Object.entries(PLACES)) {
    const names = path.slice(1).split("/");
    for (const [at, name] of names.entries()) {
      const place = join(root, ...names.slice(0, at), name);
      const found = await lstat(place).catch(unlessMissing);
      if (found?.isDirectory()) continue;
      if (found !== undefined) await unlink(place);
      await (at === names.length - 1 ? make(place) : FOLDER(place));
    }
  }
}

/** The init layer on `layers`: one for all containers of an image. */
function initLayerOf(layers: string): string {
  return `berth-init/${layers}`;
}

/** Containerd keeps the snapshot that such a label of another one names as long as that one. */
const KEPT_LABEL = "containerd.io/gc.ref.snapshot";

async function makeInitLayer(leased: Containerd, layers: string, mounts: string): Promise<void> {
  const { snapshots } = leased;
  const key = `berth-init-${randomBytes(6).toString("hex")}`;
  const prepared = await snapshots.prepare(key, layers);
  try {
    await withMounted(prepared, mounts, makePlaces);
    await snapshots.commit(initLayerOf(layers), key);
  } catch (thrown) {
    await snapshots.remove(key).catch(() => {});
    throw thrown;
  }
  // An image without layers has nothing that could keep it: it lasts as long as its containers.
  if (layers !== "")
    await snapshots.updateLabels(layers, { [`${KEPT_LABEL}.${snapshots.snapshotter}`]: initLayerOf(layers) });
}

/**
 * Prepares the writable snapshot `key` on the init layer of `layers`, as dockerd does: what is there for every container is in exports
 * of one, and in no list of what it changed. The image's first container makes the init layer.
 *
 * @param options `mounts`: the folder for mounts that last no longer than a call
 */
export async function prepareOnInitLayer(
  containerd: Containerd,
  key: string,
  layers: string,
  { mounts, ...options }: SnapshotOptions & { readonly mounts: string },
): Promise<void> {
  const prepare = () => containerd.snapshots.prepare(key, initLayerOf(layers), options);
  if ((await prepare().catch(unlessAbsent)) !== undefined) return;
  await containerd.withLease(async (leased) => {
    await makeInitLayer(leased, layers, mounts);
    await prepare();
  });
}
