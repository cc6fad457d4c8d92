import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { LayerTar } from "../../../images/images.ts";
import type { Containerd } from "../client/client.ts";

const LAYER_TYPE = "application/vnd.oci.image.layer.v1.tar";

/** What the writable snapshot `key` changes of its parent. Its blob is let go when `bytes` closes. */
export async function snapshotDiff(key: string, containerd: Containerd): Promise<LayerTar> {
  const { parent } = await containerd.snapshots.stat(key);
  const lease = await containerd.leases.createForCall();
  const leased = containerd.leased(lease.id);
  const below = `${key}-below-${randomBytes(6).toString("hex")}`;
  const release = () => containerd.leases.release(lease.id);
  try {
    const left = parent === "" ? [] : await leased.snapshots.view(below, parent);
    const layer = await leased.diff.create(left, await leased.snapshots.mounts(key), { mediaType: LAYER_TYPE });
    const bytes = Readable.from(leased.content.read(layer.digest), { objectMode: false });
    bytes.once("close", release);
    return { digest: layer.digest, size: Number(layer.size), bytes };
  } catch (thrown) {
    await release();
    throw thrown;
  }
}
