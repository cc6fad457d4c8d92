import { EngineError, isEngineError } from "../../engine/errors.ts";
import { createLimiter } from "../../engine/limiter.ts";
import type { StoredImage } from "../catalogue.ts";
import type { ImageContext } from "../context.ts";
import { shortId, tell } from "../context.ts";
import { assertImageFits } from "../disk-quota.ts";
import type { Images, Progress } from "../images.ts";
import type { Configuration } from "../manifest/configuration.ts";
import { parseConfiguration } from "../manifest/configuration.ts";
import type { Descriptor, Manifest, Platform } from "../manifest/manifest.ts";
import { chainIdsOf, parseDocument } from "../manifest/manifest.ts";
import { choosePlatform, formatPlatform, parsePlatform } from "../manifest/platform.ts";
import type { Reference } from "../reference/reference.ts";
import {
  familiarRepository,
  formatFamiliar,
  parseRepositoryTag,
  referenceMessage,
  repositoryOf,
  withDefaultTag,
} from "../reference/reference.ts";
import type { RemoteManifest, Repository } from "../registry/registry.ts";
import type { ImageWriter } from "../store.ts";
import { install, installLayer } from "./install.ts";
import type { Report } from "./progress.ts";
import { amountLine, counted, progressOf } from "./progress.ts";
import { messageOf, toPullError } from "./pull-errors.ts";

type PullOptions = Parameters<Images["pull"]>[1];

/** A manifest and the name it was found under. */
interface Found {
  readonly reference: Reference;
  readonly repository: Repository;
  readonly remote: RemoteManifest;
}

interface PullSteps {
  readonly platform: Platform;
  readonly signal: AbortSignal;
  readonly report: Report;
}

const MAX_INDEX_DEPTH = 4;
export const MAX_CONFIGURATION_BYTES = 8 << 20;

/** Parses the name of a pull or push. Throws `invalid`, and `forbidden` for the reserved name `scratch`. */
export function namedReference({
  image,
  tag,
}: {
  readonly image: string;
  readonly tag: string | undefined;
}): Reference {
  // `docker pull -a` may send a colon without a tag.
  const parsed = parseRepositoryTag(image.replace(/:$/, ""), tag ?? "");
  if (!parsed.ok) throw new EngineError("invalid", referenceMessage(parsed.error));
  if (familiarRepository(parsed.value) === "scratch")
    throw new EngineError("forbidden", "'scratch' is a reserved name");
  return parsed.value;
}

/**
 * Pulls an image, or every tag of the repository if the name has neither tag nor digest. Throws the registry's error for the name;
 * later errors are in the stream.
 */
export async function pullImage(
  context: ImageContext,
  name: { readonly image: string; readonly tag: string | undefined },
  { platform, signal, ...asking }: PullOptions,
): Promise<AsyncIterable<Progress>> {
  const reference = namedReference(name);
  const wished =
    platform === undefined ? { ok: true as const, value: context.platform } : parsePlatform(platform, context.platform);
  if (!wished.ok) throw new EngineError("invalid", wished.error);
  const found = await find(context, reference, { ...asking, signal });

  return progressOf(
    async (report, aborted) => {
      try {
        let updated = false;
        for await (const each of found) {
          const steps = { platform: wished.value, signal: aborted, report };
          if ((await pullOne(context, each, steps)) === "updated") updated = true;
        }
        const shown = formatFamiliar(reference);
        report({ status: `Status: ${updated ? "Downloaded newer image" : "Image is up to date"} for ${shown}` });
        tell(context, "pull", shown, familiarRepository(reference));
      } catch (thrown) {
        aborted.throwIfAborted();
        throw toPullError(thrown, reference);
      }
    },
    { signal, messageOf },
  );
}

/** Yields the manifests to pull. The first is resolved already; further tags are resolved one at a time. */
async function find(
  { registry }: ImageContext,
  reference: Reference,
  { auth, networkScope, permit, signal }: Omit<PullOptions, "platform">,
): Promise<AsyncIterable<Found> | Iterable<Found>> {
  const options = { auth, networkScope, use: "pull", signal } as const;
  permit(withDefaultTag(reference));
  const tagOrDigest = reference.digest ?? reference.tag;
  try {
    return await registry.withRepository(reference, options, async (repository) => {
      if (tagOrDigest !== undefined) {
        return [{ reference, repository, remote: await repository.manifest(tagOrDigest, { signal }) }];
      }
      const tags = await repository.tags({ signal });
      return (async function* () {
        for (const tag of tags) {
          const tagged = { ...reference, tag };
          permit(tagged);
          yield { reference: tagged, repository, remote: await repository.manifest(tag, { signal }) };
        }
      })();
    });
  } catch (thrown) {
    signal.throwIfAborted();
    throw toPullError(thrown, reference);
  }
}

async function pullOne(context: ImageContext, found: Found, steps: PullSteps): Promise<"updated" | "unchanged"> {
  const { library, store } = context;
  const { reference, repository, remote } = found;
  const { report } = steps;
  report({ status: `Pulling from ${repository.name}`, id: reference.digest ?? reference.tag ?? "" });
  const chosen = await chooseManifest(repository, remote, steps);
  const known = library.catalogue.images.get(chosen.manifest.config.digest);
  const image = known ?? (await store.write((writer) => fetchImage(context, repository, chosen, writer, steps)));
  report({ status: `Digest: ${remote.digest}` });

  const digested = { ...repositoryOf(reference), digest: remote.digest };
  const before = [await library.name(digested, image.id)];
  if (reference.digest === undefined) before.push(await library.name(reference, image.id));
  return before.at(-1) === image.id ? "unchanged" : "updated";
}

/** Returns the manifest, or the index's entry for the platform. */
async function chooseManifest(
  repository: Repository,
  remote: RemoteManifest,
  { platform, signal }: PullSteps,
): Promise<{ readonly manifest: Manifest; readonly remote: RemoteManifest }> {
  let current = remote;
  for (let depth = 0; depth < MAX_INDEX_DEPTH; depth++) {
    const parsed = parseDocument(current.bytes);
    if (!parsed.ok) throw new EngineError("invalid", parsed.error);
    if (parsed.value.kind === "manifest") return { manifest: parsed.value.manifest, remote: current };
    const entry = choosePlatform(parsed.value.entries, platform);
    if (entry === undefined) {
      throw new EngineError(
        "not-found",
        `no matching manifest for ${formatPlatform(platform)} in the manifest list entries`,
      );
    }
    current = await repository.manifest(entry.digest, { signal });
  }
  throw new EngineError("invalid", `an index within an index, more than ${MAX_INDEX_DEPTH} deep`);
}

async function fetchImage(
  context: ImageContext,
  repository: Repository,
  { manifest: { config, layers }, remote }: { readonly manifest: Manifest; readonly remote: RemoteManifest },
  writer: ImageWriter,
  steps: PullSteps,
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
  steps: PullSteps,
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
  { report, signal }: PullSteps,
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
