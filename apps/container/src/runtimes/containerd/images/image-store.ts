import { randomUUID } from "node:crypto";
import { EngineError, unlessAbsent } from "../../../engine/errors.ts";
import { assertLayerFits, type DiskQuota, within } from "../../../images/disk-quota.ts";
import { unpackedLayerType } from "../../../images/manifest/manifest.ts";
import type { ImageDetails, ImageRecord, ImageStore, ImageWriter, Sources } from "../../../images/store.ts";
import type { Containerd } from "../client/client.ts";
import { isAlreadyExists, present } from "../client/connection.ts";
import { formatTimestamp } from "../client/protos.ts";
import { ownSize } from "../rootfs/rootfs.ts";
import { watchedUnpack } from "./watched-unpack.ts";

const IMAGE_LABEL = "berth.image";
const SIZES_LABEL = "berth.layer-sizes";
/** On an unpacked layer. */
const CONTENT_LABEL = "berth.content-size";
const PARENT_LABEL = "berth.parent";
const OWNER_LABEL = "berth.owner";
/** On a blob: containerd keeps the blob that such a label names as long as this one. */
const LINK_LABEL = "containerd.io/gc.ref.content.";
/** One label for each source: containerd bounds a label, not their number. */
const SOURCE_LABEL = "berth.source.";
/** containerd's limit on a label, name and value together. */
const MAX_LABEL_BYTES = 4096;
/** On the leases of writes, so that those of a run that was killed can be told from the leases of others. */
const WRITE_LABEL = "berth.image-write";

/** No registry is called `own`: a registry's name has a dot, a port, or is `localhost`. */
function recordName(name: string, owner: string | undefined): string {
  return owner === undefined ? name : `own/${owner}/${name}`;
}

function labelsOf({ imageId, details, owner, sources = [] }: ImageRecord): Readonly<Record<string, string>> {
  const named = sources.map((names, at) => [`${SOURCE_LABEL}${at}`, names.join(" ")] as const);
  if (named.some(([label, text]) => label.length + text.length > MAX_LABEL_BYTES))
    throw new EngineError("too-large", "an image that this one was built from has too many names to be recorded");
  return {
    [IMAGE_LABEL]: imageId,
    ...(owner === undefined ? {} : { [OWNER_LABEL]: owner }),
    ...Object.fromEntries(named),
    ...(details === undefined ? {} : { [SIZES_LABEL]: details.layerSizes.join(","), [PARENT_LABEL]: details.parent }),
  };
}

function detailsOf(labels: Readonly<Record<string, string>>): ImageDetails | undefined {
  const sizes = labels[SIZES_LABEL];
  if (sizes === undefined) return undefined;
  return { layerSizes: sizes === "" ? [] : sizes.split(",").map(Number), parent: labels[PARENT_LABEL] ?? "" };
}

function sourcesOf(labels: Readonly<Record<string, string>>): Sources {
  return Object.entries(labels)
    .filter(([label]) => label.startsWith(SOURCE_LABEL))
    .map(([label, text]) => [Number(label.slice(SOURCE_LABEL.length)), text.split(" ")] as const)
    .sort(([a], [b]) => a - b)
    .map(([, names]) => names);
}

/**
 * The store of images in containerd: blobs in its content store, unpacked layers in its snapshotter, names in its image records.
 * A record refers to its manifest, the manifest's gc labels to the blobs and the configuration's gc label to the top snapshot,
 * so that containerd's own garbage collection does all the removing.
 */
export function containerdImageStore(containerd: Containerd, quota: DiskQuota): ImageStore {
  return {
    records: async () => {
      const records = await containerd.images.list([`labels."${IMAGE_LABEL}"`]);
      return records.map(({ name, target, labels, updatedAt }) => {
        const { mediaType, digest, size } = present(target, "an image's target");
        const details = detailsOf(labels);
        const putAt = formatTimestamp(updatedAt) ?? "";
        const record = { name, imageId: labels[IMAGE_LABEL] ?? "", manifest: { mediaType, digest, size }, putAt };
        const owner = labels[OWNER_LABEL];
        if (owner !== undefined)
          return { ...record, name: name.slice(recordName("", owner).length), owner, sources: sourcesOf(labels) };
        return details === undefined ? record : { ...record, details };
      });
    },
    read: (digest, options) => containerd.content.read(digest, options),
    readAll: (digest) => containerd.content.readAll(digest),
    write: async (use) => {
      const { id } = await containerd.leases.create({
        id: `berth-images-${randomUUID()}`,
        labels: { [WRITE_LABEL]: "under-way" },
      });
      try {
        return await use(imageWriter(containerd.leased(id), quota));
      } finally {
        await containerd.leases.release(id);
      }
    },
    digests: async () => new Set((await containerd.content.list()).map(({ digest }) => digest)),
    sweep: async () => {
      const left = await containerd.leases.list([`labels."${WRITE_LABEL}"`]);
      for (const { id } of left) await containerd.leases.delete(id);
      await containerd.content.sweep();
    },
    put: async (record) => {
      const { name, owner, manifest } = record;
      const image = { name: recordName(name, owner), target: manifest, labels: labelsOf(record) };
      const create = () =>
        containerd.images.create(image).catch((thrown: unknown) => {
          if (!isAlreadyExists(thrown)) throw thrown;
          return containerd.images.update(image);
        });
      return formatTimestamp((await create()).updatedAt) ?? "";
    },
    unlink: async (index, manifests) => {
      const { labels } = await containerd.content.info(index);
      const links = Object.entries(labels).filter(
        ([label, to]) => label.startsWith(LINK_LABEL) && manifests.includes(to),
      );
      await containerd.content.updateLabels(index, Object.fromEntries(links.map(([label]) => [label, ""])));
    },
    delete: async (name, { owner, ...options } = {}) => {
      await containerd.images.delete(recordName(name, owner), options).catch(unlessAbsent);
    },
  };
}

function imageWriter(leased: Containerd, quota: DiskQuota): ImageWriter {
  // Blobs come to the disk while their layers are unpacked; a manifest is written when they are there.
  const syncs: Promise<void>[] = [];
  const holdBlob: ImageWriter["holdBlob"] = async (digest) => {
    await hold(leased, { id: digest, type: "content" });
    const isHere = (await leased.content.info(digest).catch(unlessAbsent)) !== undefined;
    await leased.content.synced(digest);
    return isHere;
  };
  return {
    holdBlob,
    holdLayers: async (chainId) => {
      await hold(leased, { id: chainId, type: `snapshots/${leased.snapshots.snapshotter}` });
      return (await leased.snapshots.stat(chainId).catch(unlessAbsent)) !== undefined;
    },
    blob: async (bytes, wish) => {
      const { digest } = wish ?? {};
      if (digest !== undefined && (await holdBlob(digest))) return digest;
      const written = await leased.content.writeBlob(within(quota, bytes), wish);
      written.synced.catch(() => {});
      syncs.push(written.synced);
      return written.digest;
    },
    unpack: async (layer, { parent, diffId, chainId, signal }) => {
      const options = signal === undefined ? {} : { signal };
      const key = `berth-unpack-${randomUUID()}`;
      const mounts = await leased.snapshots.prepare(key, parent, options);
      try {
        const usage = async () => (await leased.snapshots.usage(key)).size;
        const applied = await watchedUnpack(quota, { usage, signal }, (stop) =>
          leased.diff.apply({ ...layer, mediaType: unpackedLayerType(layer.mediaType) }, mounts, { signal: stop }),
        );
        assertLayerFits(quota, applied.size);
        if (applied.digest !== diffId) {
          throw new EngineError("conflict", `layer ${layer.digest} unpacks to ${applied.digest}, not to ${diffId}`);
        }
        const labels = { [CONTENT_LABEL]: String(await ownSize(mounts)) };
        await leased.snapshots.commit(chainId, key, { ...options, labels });
      } catch (thrown) {
        await leased.snapshots.remove(key).catch(() => {});
        throw thrown;
      }
    },
    layerSize: async (chainId) => {
      const [{ labels }, { size }] = await Promise.all([
        leased.snapshots.stat(chainId),
        leased.snapshots.usage(chainId),
      ]);
      return { content: Number(labels[CONTENT_LABEL] ?? size), disk: size };
    },
    index: async (bytes, { mediaType, manifests }) => {
      await Promise.all(syncs);
      const links = manifests.map(({ digest }, at) => [`${LINK_LABEL}m.${at}`, digest]);
      const digest = await writeLinked(leased, bytes, Object.fromEntries(links));
      return { mediaType, digest, size: bytes.length };
    },
    manifest: async (bytes, { mediaType, config, layers, chainId }) => {
      await Promise.all(syncs);
      const links = Object.fromEntries([
        [`${LINK_LABEL}config`, config.digest],
        ...layers.map(({ digest }, index) => [`${LINK_LABEL}l.${index}`, digest]),
      ]);
      const digest = await writeLinked(leased, bytes, links);
      if (chainId !== "") {
        const label = `containerd.io/gc.ref.snapshot.${leased.snapshots.snapshotter}`;
        await leased.content.updateLabels(config.digest, { [label]: chainId });
      }
      return { mediaType, digest, size: bytes.length };
    },
  };
}

/** Writes a small blob that keeps others. */
function writeLinked(
  { content }: Containerd,
  bytes: Buffer,
  labels: Readonly<Record<string, string>>,
): Promise<string> {
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  return content.write(`berth-manifest-${randomUUID()}`, whole, { size: bytes.length, labels });
}

/** Adds a thing to the lease before looking for it: the other way round, the collector could come between. */
async function hold(
  { lease, leases }: Containerd,
  resource: { readonly id: string; readonly type: string },
): Promise<void> {
  if (lease === undefined) throw new Error("images are written under a lease");
  await leases.addResource(lease, resource);
}
