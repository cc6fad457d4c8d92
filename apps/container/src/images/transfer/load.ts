import { z } from "zod";
import { EngineError } from "../../engine/errors.ts";
import type { Archive } from "../archive/archive.ts";
import { readArchive } from "../archive/archive.ts";
import type { Assembly, LoadedImage, LoadedIndex } from "../archive/assembly.ts";
import { decompress } from "../archive/compression.ts";
import { readLayout } from "../archive/oci-layout.ts";
import type { StoredImage } from "../catalogue.ts";
import type { ImageContext } from "../context.ts";
import { shortId, tell } from "../context.ts";
import { parseConfiguration } from "../manifest/configuration.ts";
import type { Descriptor, Platform } from "../manifest/manifest.ts";
import { MEDIA_TYPES, parseJson } from "../manifest/manifest.ts";
import { formatPlatform, platformMatches } from "../manifest/platform.ts";
import type { Reference } from "../reference/reference.ts";
import { formatFamiliar, parseReference, referenceMessage } from "../reference/reference.ts";
import type { ImageWriter } from "../store.ts";
import type { InstallOptions } from "./install.ts";
import { install } from "./install.ts";
import type { Report } from "./progress.ts";
import { amountLine } from "./progress.ts";

const manifestFile = z
  .array(
    z.object({
      Config: z.string(),
      RepoTags: z.array(z.string()).nullish(),
      Layers: z.array(z.string()).max(1000).nullish(),
    }),
  )
  .max(1000);

function invalid(message: string): EngineError {
  return new EngineError("invalid", message);
}

/**
 * Reads a `docker save` archive or an OCI layout. Keeps all of its images, or none if one is bad.
 * Reports Docker's progress lines; throws EngineError.
 */
export async function loadImages(
  context: ImageContext,
  source: AsyncIterable<Uint8Array>,
  {
    quiet,
    signal,
    report,
    platform,
  }: {
    readonly quiet: boolean;
    readonly signal: AbortSignal;
    readonly report: Report;
    /** Loads of an index the images for this platform alone. */
    readonly platform: Platform | undefined;
  },
): Promise<void> {
  const { store, library, unpacking, quota } = context;
  const onLayer: InstallOptions["onLayer"] = ({ digest, size }, state) => {
    if (!quiet) report(amountLine(shortId(digest), "Loading layer", state === "unpacked" ? size : 0, size));
  };
  await store.write(async (writer) => {
    const archive = await readArchive(source, store, writer, signal);
    // An archive of both kinds has what only OCI's layout can say: images for several platforms.
    const isLayout = !archive.has("manifest.json") || (archive.has("index.json") && archive.has("oci-layout"));
    const loaded = isLayout ? await readLayout(archive, platform) : await readDockerArchive(archive, writer, store);
    const images: Installed[] = [];
    for (const { assemblies, index, references } of loaded) {
      assertPlatform(assemblies, platform);
      const installed: StoredImage[] = [];
      for (const assembly of assemblies) {
        // An index may have images for other systems too.
        if (index === undefined && assembly.configuration.os !== "linux")
          throw invalid(`cannot load ${assembly.configuration.os} image on linux`);
        installed.push(await install(writer, assembly, { unpacking, quota, signal, onLayer }));
      }
      const written = index === undefined ? undefined : await writeIndex(writer, index);
      images.push({ installed, index: written, references });
    }
    for (const { installed, index, references } of images) {
      for (const each of installed) await library.add(each);
      const [image] = installed;
      if (image === undefined) continue;
      for (const reference of references) {
        const before = await library.name(reference, image.id, { index });
        const name = formatFamiliar(reference);
        if (before !== undefined && before !== image.id) {
          report({
            stream: `The image ${name} already exists, renaming the old one with ID ${before} to empty string\n`,
          });
        }
        report({ stream: `Loaded image: ${name}\n` });
      }
      if (references.length === 0) report({ stream: `Loaded image ID: ${image.id}\n` });
      tell(context, "load", { id: image.id, name: image.id });
    }
  });
}

interface Installed {
  readonly installed: readonly StoredImage[];
  readonly index: Descriptor | undefined;
  readonly references: readonly Reference[];
}

function assertPlatform(assemblies: readonly Assembly[], wished: Platform | undefined): void {
  if (wished === undefined || assemblies.some(({ configuration }) => platformMatches(wished, configuration))) return;
  throw new EngineError("not-found", `requested platform (${formatPlatform(wished)}) not found in the archive`);
}

async function writeIndex(writer: ImageWriter, index: LoadedIndex): Promise<Descriptor> {
  const { bytes, mediaType, entries, others, inner } = index;
  for (const { parts, ...other } of others)
    await writer.manifest(other.bytes, { mediaType: other.mediaType, ...parts, chainId: "" });
  for (const nested of inner) await writeIndex(writer, nested);
  return writer.index(bytes, { mediaType, manifests: entries });
}

async function readDockerArchive(
  archive: Archive,
  writer: ImageWriter,
  store: ImageContext["store"],
): Promise<readonly LoadedImage[]> {
  const json = parseJson(await archive.read("manifest.json"));
  if (!json.ok) throw invalid(`invalid archive: failed to decode manifest.json: ${json.error}`);
  const manifest = manifestFile.safeParse(json.value);
  if (!manifest.success) {
    const [issue] = manifest.error.issues;
    throw invalid(`invalid archive: failed to decode manifest.json: ${issue?.path.join(".")}: ${issue?.message}`);
  }
  const loaded: LoadedImage[] = [];
  for (const { Config, RepoTags, Layers } of manifest.data) {
    const parsed = parseConfiguration(await archive.read(Config));
    if (!parsed.ok) throw invalid(parsed.error);
    const { digest, size } = await archive.blob(Config);
    const layers: Descriptor[] = [];
    for (const path of Layers ?? []) layers.push(await layerOf(archive, path, writer, store));
    const config = { mediaType: MEDIA_TYPES.config, digest, size };
    loaded.push({
      assemblies: [{ configuration: parsed.value, config, layers }],
      references: (RepoTags ?? []).map(tagOf),
    });
  }
  return loaded;
}

function tagOf(text: string): Reference {
  const parsed = parseReference(text);
  if (!parsed.ok) throw invalid(referenceMessage(parsed.error));
  const { tag, digest } = parsed.value;
  if (tag === undefined || digest !== undefined) throw invalid(`invalid tag ${JSON.stringify(text)}`);
  return parsed.value;
}

/** Decompresses bzip2 and xz, which Docker accepts but the store cannot unpack; gzip and zstd pass through. */
async function layerOf(
  archive: Archive,
  path: string,
  writer: ImageWriter,
  store: ImageContext["store"],
): Promise<Descriptor> {
  const { digest, size, compression } = await archive.blob(path);
  switch (compression) {
    case "none":
      return { mediaType: MEDIA_TYPES.layer, digest, size };
    case "gzip":
    case "zstd":
      return { mediaType: `${MEDIA_TYPES.layer}+${compression}`, digest, size };
    default:
      return await writeLayer(writer, await decompress(store.read(digest)));
  }
}

/** Writes a plain tar as a layer blob. */
export async function writeLayer(
  writer: ImageWriter,
  tar: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<Descriptor> {
  let size = 0;
  async function* measured(): AsyncGenerator<Uint8Array> {
    for await (const chunk of tar) {
      size += chunk.length;
      yield chunk;
    }
  }
  const digest = await writer.blob(measured(), signal === undefined ? {} : { signal });
  return { mediaType: MEDIA_TYPES.layer, digest, size };
}
