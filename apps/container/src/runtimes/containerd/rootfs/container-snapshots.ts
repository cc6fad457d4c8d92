import { mkdir, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { ContainerSpec, SpecMount } from "../../../containers/records/runtime.ts";
import { unlessAbsent } from "../../../engine/errors.ts";
import type { Containerd } from "../client/client.ts";
import { isAlreadyExists } from "../client/connection.ts";
import { prepareOnInitLayer } from "./init-layer.ts";
import { mountAll, unmountEach } from "./mount.ts";
import { withMounted } from "./rootfs.ts";

/** The label of the snapshots and records that are containers of this service. */
export const CONTAINER_LABEL = "berth.container";

type ImageMount = SpecMount & { readonly kind: "image" };

/** The snapshot of the image that a container mounts as the one of this number. */
function keyOf(id: string, index: number): string {
  return `${id}-image-${index}`;
}

/**
 * Makes the root file system of a container on its layers, and keeps the images that it mounts. Idempotent.
 *
 * @param options `mounts`: the folder for mounts that last no longer than a call
 */
export async function makeSnapshots(
  containerd: Containerd,
  id: string,
  layers: string,
  {
    mounted = [],
    mounts,
    ...options
  }: { readonly mounted?: readonly string[]; readonly mounts: string; readonly signal?: AbortSignal },
): Promise<void> {
  // The label roots a snapshot for containerd's garbage collector, and finds it again when all else is lost.
  const labels = { [CONTAINER_LABEL]: id, "containerd.io/gc.root": new Date().toISOString() };
  const once = (thrown: unknown): undefined => {
    if (!isAlreadyExists(thrown)) throw thrown;
  };
  await prepareOnInitLayer(containerd, id, layers, { mounts, labels, ...options }).catch(once);
  for (const [index, chainId] of mounted.entries())
    await containerd.snapshots.view(keyOf(id, index), chainId, { labels, ...options }).catch(once);
}

/** Removes what `makeSnapshots` made. Idempotent. */
export async function removeSnapshots({ snapshots }: Pick<Containerd, "snapshots">, id: string): Promise<void> {
  await snapshots.remove(id).catch(unlessAbsent);
  let images = 0;
  while ((await snapshots.stat(keyOf(id, images)).catch(unlessAbsent)) !== undefined) images++;
  // The last first, so that one that is cut off leaves no gap.
  while (images-- > 0) await snapshots.remove(keyOf(id, images)).catch(unlessAbsent);
}

/** A spec whose images are mounted on the host, from where the runtime binds them. */
export interface MountedImages {
  readonly spec: ContainerSpec;
  /** Takes the mounts away, which a container that was made of them does not need any more. */
  release(): Promise<void>;
}

/** Mounts the images of a spec below `dir`, for the time that its container is made. */
export async function mountImages(
  { snapshots }: Pick<Containerd, "snapshots">,
  spec: ContainerSpec,
  dir: string,
): Promise<MountedImages> {
  const images = spec.mounts.filter((mount): mount is ImageMount => mount.kind === "image");
  const placeOf = ({ index }: ImageMount) => join(dir, keyOf(spec.id, index));
  const release = async (): Promise<void> => {
    await unmountEach(images.map(placeOf));
    for (const image of images) await rmdir(placeOf(image)).catch(() => undefined);
  };
  try {
    for (const image of images) {
      await mkdir(placeOf(image), { recursive: true, mode: 0o700 });
      await mountAll(await snapshots.mounts(keyOf(spec.id, image.index)), placeOf(image));
    }
  } catch (thrown) {
    await release();
    throw thrown;
  }
  const bound = (mount: SpecMount): SpecMount => {
    if (mount.kind !== "image") return mount;
    const { target, subpath } = mount;
    const bind = { kind: "bind", target, readonly: true, propagation: "rprivate", recursive: true } as const;
    return { ...bind, source: placeOf(mount), ...(subpath !== undefined && { subpath, exact: true }) };
  };
  return { spec: { ...spec, mounts: spec.mounts.map(bound) }, release };
}

/** Runs `use` with the first `images` of those that a container mounts, each mounted in a folder of its own below `mounts`. */
export async function withImages<T>(
  containerd: Pick<Containerd, "snapshots">,
  { id, images, mounts }: { readonly id: string; readonly images: number; readonly mounts: string },
  use: (places: readonly string[]) => Promise<T>,
): Promise<T> {
  const after = async (places: readonly string[]): Promise<T> => {
    if (places.length === images) return await use(places);
    const snapshot = await containerd.snapshots.mounts(keyOf(id, places.length));
    return await withMounted(snapshot, mounts, (place) => after([...places, place]));
  };
  return await after([]);
}
