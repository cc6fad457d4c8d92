import type { KeyedLock } from "../../engine/concurrency/keyed-lock.ts";
import { EngineError, isEngineError } from "../../engine/errors.ts";
import type { Assembly } from "../archive/assembly.ts";
import { once } from "../archive/chunk.ts";
import type { StoredImage } from "../catalogue.ts";
import { assertImageFits, type DiskQuota } from "../disk-quota.ts";
import type { Configuration } from "../manifest/configuration.ts";
import { formatConfiguration } from "../manifest/configuration.ts";
import type { Descriptor } from "../manifest/manifest.ts";
import { chainIdsOf, formatManifest, MEDIA_TYPES } from "../manifest/manifest.ts";
import type { ImageWriter } from "../store.ts";

export interface InstallOptions {
  /** Serialises unpacking per layer, across images. */
  readonly unpacking: KeyedLock<string>;
  readonly quota: DiskQuota;
  readonly signal?: AbortSignal | undefined;
  /** Called before and after each layer that is not in the store yet. */
  readonly onLayer?: (layer: Descriptor, state: "unpacking" | "unpacked") => void;
}

/** Unpacks one layer on top of the layers below it, unless the store has it. */
export async function installLayer(
  writer: ImageWriter,
  layer: Descriptor,
  target: { readonly parent: string; readonly diffId: string; readonly chainId: string },
  { unpacking, signal, onLayer }: Omit<InstallOptions, "quota">,
): Promise<void> {
  await unpacking.hold(target.chainId, async () => {
    if (await writer.holdLayers(target.chainId)) return;
    onLayer?.(layer, "unpacking");
    try {
      await writer.unpack(layer, { ...target, ...(signal === undefined ? {} : { signal }) });
    } catch (thrown) {
      signal?.throwIfAborted();
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      // A bad layer is the fault of the archive or the registry, unless the store itself failed.
      const known = (["unavailable", "too-large"] as const).find((kind) => isEngineError(thrown, kind));
      const kind = known ?? "invalid";
      throw new EngineError(kind, `failed to register layer: ${message}`, { cause: thrown });
    }
    onLayer?.(layer, "unpacked");
  });
}

/** Unpacks missing layers and writes the manifest. The image can then be added to the library. */
export async function install(writer: ImageWriter, assembly: Assembly, options: InstallOptions): Promise<StoredImage> {
  const { configuration, config, layers, parent = "" } = assembly;
  const diffIds = configuration.rootfs.diff_ids;
  if (diffIds.length !== layers.length) {
    throw new EngineError(
      "invalid",
      `invalid manifest, layers length mismatch: expected ${layers.length}, got ${diffIds.length}`,
    );
  }
  const chainIds = chainIdsOf(diffIds);
  const layerSizes: number[] = [];
  let disk = 0;
  for (const [index, layer] of layers.entries()) {
    const chainId = chainIds[index] ?? "";
    await installLayer(
      writer,
      layer,
      { parent: chainIds[index - 1] ?? "", diffId: diffIds[index] ?? "", chainId },
      options,
    );
    const size = await writer.layerSize(chainId);
    layerSizes.push(size.content);
    disk += size.disk;
    assertImageFits(options.quota, disk);
  }
  const { bytes, mediaType } = assembly.manifest ?? {
    bytes: formatManifest({ config, layers }),
    mediaType: MEDIA_TYPES.manifest,
  };
  const manifest = await writer.manifest(bytes, { mediaType, config, layers, chainId: chainIds.at(-1) ?? "" });
  return { id: config.digest, manifest, configuration, chainIds, layerSizes, parent };
}

/** Pins blobs that are about to be read. Throws `not-found` if one was removed. */
export async function holdBlobs(writer: ImageWriter, blobs: readonly Descriptor[]): Promise<void> {
  for (const { digest } of blobs) {
    if (!(await writer.holdBlob(digest))) throw new EngineError("not-found", `the image's content ${digest} is gone`);
  }
}

/** Writes a configuration that Berth generated. */
export async function writeConfiguration(writer: ImageWriter, configuration: Configuration): Promise<Descriptor> {
  const bytes = formatConfiguration(configuration);
  const digest = await writer.blob(once(bytes), { size: bytes.length });
  return { mediaType: MEDIA_TYPES.config, digest, size: bytes.length };
}
