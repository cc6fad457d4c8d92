import { createLimiter } from "../../engine/concurrency/limiter.ts";
import { EngineError, isEngineError } from "../../engine/errors.ts";
import type { StoredImage } from "../catalogue.ts";
import type { ImageContext } from "../context.ts";
import { shortId } from "../context.ts";
import { assertImageFits } from "../disk-quota.ts";
import type { Configuration } from "../manifest/configuration.ts";
import { parseConfiguration } from "../manifest/configuration.ts";
import type { Descriptor, Manifest } from "../manifest/manifest.ts";
import { chainIdsOf } from "../manifest/manifest.ts";
import type { RemoteManifest, Repository } from "../registry/registry.ts";
import type { ImageWriter } from "../store.ts";
import { install, installLayer } from "./install.ts";
import type { Report } from "./progress.ts";
import { amountLine, counted } from "./progress.ts";

export const MAX_CONFIGURATION_BYTES = 8 << 20;

interface FetchSteps {
  readonly signal: AbortSignal;
  readonly report: Report;
}

/** Downloads, unpacks and records one image. Throws `too-large` past a limit and `invalid` for an image that does not fit together. */
export async function fetchImage(
  context: ImageContext,
  repository: Repository,
  { manifest: { config, layers }, remote }: { readonly manifest: Manifest; readonly remote: RemoteManifest },
  writer: ImageWriter,
  steps: FetchSteps,
): Promise<StoredImage> {
  assertImageFits(
    context.quota,
    layers.reduce((sum, { size }) => sum + size, 0),
  );
  if (config.size > MAX_CONFIGURATION_BYTES)
    throw new EngineError("too-large", "the image's configuration is too large");
  await fetchBlob(context, repository, config, writer, { ...steps, report: () => {} });
  const parsed = parseConfiguration(await context.store.readAll(config.digest));
  if (!parsed.ok) throw new EngineError("invalid", `error pulling image configuration: ${parsed.error}`);
  const configuration = parsed.value;
  if (configuration.os !== "linux") {
    throw new EngineError("invalid", `image operating system "${configuration.os}" cannot be used on this platform`);
  }
  if (configuration.rootfs.diff_ids.length !== layers.length) {
    throw new EngineError("invalid", "layers from manifest don't match image configuration");
  }
  await fetchLayers(context, repository, layers, configuration, writer, steps);
  const { bytes, mediaType } = remote;
  const assembly = { configuration, config, layers, manifest: { bytes, mediaType } };
  const image = await install(writer, assembly, {
    unpacking: context.unpacking,
    quota: context.quota,
    signal: steps.signal,
  });
  return await context.library.add(image);
}

/** Fetches layers concurrently and unpacks each one once the layers below it are unpacked. */
async function fetchLayers(
  context: ImageContext,
  repository: Repository,
  layers: readonly Descriptor[],
  configuration: Configuration,
  writer: ImageWriter,
  steps: FetchSteps,
): Promise<void> {
  const { report } = steps;
  const failed = new AbortController();
  const signal = AbortSignal.any([steps.signal, failed.signal]);
  const diffIds = configuration.rootfs.diff_ids;
  const chainIds = chainIdsOf(diffIds);
  const limit = createLimiter(context.concurrency);

  const present: boolean[] = [];
  for (const [index, { digest }] of layers.entries()) {
    const there = (await writer.holdBlob(digest)) && (await writer.holdLayers(chainIds[index] ?? ""));
    present.push(there);
    report({ status: there ? "Already exists" : "Pulling fs layer", progressDetail: {}, id: shortId(digest) });
  }
  const fetched = layers.map((layer, index) =>
    present[index]
      ? Promise.resolve()
      : limit(() => fetchBlob(context, repository, layer, writer, { ...steps, signal })).catch((thrown: unknown) => {
          failed.abort(thrown);
          throw thrown;
        }),
  );
  const unpackAll = async (): Promise<void> => {
    let unpacked = 0;
    for (const [index, layer] of layers.entries()) {
      await fetched[index];
      if (present[index]) continue;
      const id = shortId(layer.digest);
      const target = {
        parent: chainIds[index - 1] ?? "",
        diffId: diffIds[index] ?? "",
        chainId: chainIds[index] ?? "",
      };
      report(amountLine(id, "Extracting", layer.size, layer.size));
      await installLayer(writer, layer, target, { unpacking: context.unpacking, signal });
      unpacked += (await writer.layerSize(target.chainId)).disk;
      assertImageFits(context.quota, unpacked);
      report({ status: "Pull complete", progressDetail: {}, id });
    }
  };
  // Await all of them before throwing the first fault: nothing may write after the writer closes.
  const unpacked = unpackAll().catch((thrown: unknown) => {
    if (!failed.signal.aborted) failed.abort(thrown);
    throw thrown;
  });
  const outcomes = await Promise.allSettled([...fetched, unpacked]);
  steps.signal.throwIfAborted();
  if (outcomes.some(({ status }) => status === "rejected")) throw failed.signal.reason;
}

async function fetchBlob(
  { downloading }: ImageContext,
  repository: Repository,
  blob: Descriptor,
  writer: ImageWriter,
  { report, signal }: FetchSteps,
): Promise<void> {
  const id = shortId(blob.digest);
  await downloading.hold(blob.digest, async () => {
    if (await writer.holdBlob(blob.digest)) return;
    const bytes = repository.blob(blob, {
      signal,
      onRetry: (seconds) =>
        report({ status: `Retrying in ${seconds} second${seconds === 1 ? "" : "s"}`, progressDetail: {}, id }),
    });
    const shown = counted(bytes, (current) => report(amountLine(id, "Downloading", current, blob.size)));
    try {
      await writer.blob(shown, { digest: blob.digest, size: blob.size, signal });
    } catch (thrown) {
      signal.throwIfAborted();
      if (!isEngineError(thrown, "conflict")) throw thrown;
      throw new EngineError("invalid", `filesystem layer verification failed for digest ${blob.digest}`, {
        cause: thrown,
      });
    }
    report({ status: "Verifying Checksum", progressDetail: {}, id });
  });
  report({ status: "Download complete", progressDetail: {}, id });
}
