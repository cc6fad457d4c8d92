import { EngineError } from "../../engine/errors.ts";
import type { StoredImage } from "../catalogue.ts";
import type { ImageContext } from "../context.ts";
import { tell } from "../context.ts";
import type { HeldNames, Images, Progress } from "../images.ts";
import { assertNameFree } from "../library.ts";
import { MAX_INDEX_DEPTH } from "../manifest/image-index.ts";
import type { Descriptor, Manifest, Platform } from "../manifest/manifest.ts";
import { parseDocument } from "../manifest/manifest.ts";
import { choosePlatform, formatPlatform, parsePlatform } from "../manifest/platform.ts";
import type { Reference } from "../reference/reference.ts";
import {
  familiarRepository,
  formatFamiliar,
  formatReference,
  parseRepositoryTag,
  referenceMessage,
  repositoryOf,
  withDefaultTag,
} from "../reference/reference.ts";
import type { RemoteManifest, Repository } from "../registry/registry.ts";
import type { ImageWriter } from "../store.ts";
import { fetchImage } from "./fetch-image.ts";
import type { Report } from "./progress.ts";
import { progressOf } from "./progress.ts";
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
  readonly heldNames: HeldNames;
  readonly signal: AbortSignal;
  readonly report: Report;
}

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
  { platform, signal, heldNames, ...asking }: PullOptions,
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
          const steps = { platform: wished.value, heldNames, signal: aborted, report };
          if ((await pullOne(context, each, steps)) === "updated") updated = true;
        }
        const shown = formatFamiliar(reference);
        report({ status: `Status: ${updated ? "Downloaded newer image" : "Image is up to date"} for ${shown}` });
        tell(context, "pull", { id: shown, name: familiarRepository(reference) });
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
  { auth, networkScope, permit, signal }: Omit<PullOptions, "platform" | "heldNames">,
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
  const digested = { ...repositoryOf(reference), digest: remote.digest };
  const names = reference.digest === undefined ? [digested, reference] : [digested];
  if (steps.heldNames === "keep") await assertNamesKept(context, { ...found, names }, chosen.manifest, steps);
  const before = library.catalogue.names.get(formatReference(reference.digest === undefined ? reference : digested));
  await store.write(async (writer) => {
    const image = await fetchUnlessKnown(context, repository, chosen, writer, steps);
    const index = await writeIndexes(writer, chosen.indexes);
    report({ status: `Digest: ${remote.digest}` });
    for (const name of names) await library.name(name, image.id, { held: steps.heldNames, index });
  });
  const same =
    before?.index === undefined
      ? before?.imageId === chosen.manifest.config.digest
      : before.index.descriptor.digest === remote.digest;
  return same ? "unchanged" : "updated";
}

/** Fetches an image unless the library has it with this very manifest, where an index names that. */
async function fetchUnlessKnown(
  context: ImageContext,
  repository: Repository,
  chosen: Chosen,
  writer: ImageWriter,
  steps: PullSteps,
): Promise<StoredImage> {
  const known = context.library.catalogue.images.get(chosen.manifest.config.digest);
  const whole = chosen.indexes.length === 0 || (await writer.holdBlob(chosen.remote.digest));
  return known !== undefined && whole ? known : fetchImage(context, repository, chosen, writer, steps);
}

/** Keeps the indexes that lead to an image. Returns the outermost; undefined without any. */
async function writeIndexes(writer: ImageWriter, indexes: readonly RemoteManifest[]): Promise<Descriptor | undefined> {
  let outermost: Descriptor | undefined;
  for (const { bytes, mediaType } of indexes.toReversed()) {
    const document = parseDocument(bytes);
    const manifests = document.ok && document.value.kind === "index" ? document.value.entries : [];
    outermost = await writer.index(bytes, { mediaType, manifests });
  }
  return outermost;
}

/**
 * Throws before the download if one of the names means another image here, or would mean another platform's image than it does for
 * everyone else on this host.
 */
async function assertNamesKept(
  { library, platform }: ImageContext,
  { repository, remote, names }: Found & { readonly names: readonly Reference[] },
  { config }: Manifest,
  steps: PullSteps,
): Promise<void> {
  const index = remote.digest;
  for (const name of names) assertNameFree(library.catalogue, name, { imageId: config.digest, index });
  // Another platform's image joins the index that the names mean already.
  if (names.every((name) => library.catalogue.names.get(formatReference(name))?.index?.descriptor.digest === index))
    return;
  if (formatPlatform(steps.platform) === formatPlatform(platform)) return;
  const usual = await chooseManifest(repository, remote, { ...steps, platform }).catch(() => undefined);
  if (usual?.manifest.config.digest === config.digest) return;
  throw new EngineError(
    "conflict",
    `a user's pull names images of ${formatPlatform(platform)} alone: pull the image of ${formatPlatform(steps.platform)} by its own digest, or ask an administrator`,
  );
}

/** A manifest with the indexes that led to it, outermost first. */
interface Chosen {
  readonly manifest: Manifest;
  readonly remote: RemoteManifest;
  readonly indexes: readonly RemoteManifest[];
}

/** Returns the manifest, or the index's entry for the platform. */
async function chooseManifest(
  repository: Repository,
  remote: RemoteManifest,
  { platform, signal }: PullSteps,
): Promise<Chosen> {
  const indexes: RemoteManifest[] = [];
  let current = remote;
  for (let depth = 0; depth < MAX_INDEX_DEPTH; depth++) {
    const parsed = parseDocument(current.bytes);
    if (!parsed.ok) throw new EngineError("invalid", parsed.error);
    if (parsed.value.kind === "manifest") return { manifest: parsed.value.manifest, remote: current, indexes };
    const entry = choosePlatform(parsed.value.entries, platform);
    if (entry === undefined) {
      throw new EngineError(
        "not-found",
        `no matching manifest for ${formatPlatform(platform)} in the manifest list entries`,
      );
    }
    indexes.push(current);
    current = await repository.manifest(entry.digest, { signal });
  }
  throw new EngineError("invalid", `an index within an index, more than ${MAX_INDEX_DEPTH} deep`);
}
