import { EngineError } from "../../engine/errors.ts";
import { parseConfiguration } from "../manifest/configuration.ts";
import type { IndexEntry, Platform } from "../manifest/manifest.ts";
import { mediaTypeOf, parseDocument } from "../manifest/manifest.ts";
import { choosePlatform, formatPlatform } from "../manifest/platform.ts";
import type { Reference } from "../reference/reference.ts";
import { parseReference, withDefaultTag } from "../reference/reference.ts";
import type { Archive } from "./archive.ts";
import type { LoadedImage } from "./assembly.ts";

const MAX_DEPTH = 4;

function invalid(message: string): EngineError {
  return new EngineError("invalid", `invalid archive: ${message}`);
}

function blobPath(digest: string): string {
  return `blobs/${digest.replace(":", "/")}`;
}

/** The images of an OCI layout (image-spec 1.1); from a nested index, the one for the platform. */
export async function readLayout(archive: Archive, platform: Platform): Promise<readonly LoadedImage[]> {
  if (!archive.has("index.json")) throw invalid("does not contain a manifest.json");
  const top = parseDocument(await archive.read("index.json"));
  if (!top.ok) throw invalid(`index.json: ${top.error}`);
  if (top.value.kind !== "index") throw invalid("index.json is no index");
  const images: LoadedImage[] = [];
  for (const entry of top.value.entries) images.push(await readEntry(archive, entry, platform, MAX_DEPTH));
  return images;
}

async function readEntry(archive: Archive, entry: IndexEntry, platform: Platform, depth: number): Promise<LoadedImage> {
  const bytes = await archive.read(blobPath(entry.digest));
  // A small file's digest is only checked when it becomes a blob.
  await archive.blob(blobPath(entry.digest));
  const parsed = parseDocument(bytes);
  if (!parsed.ok) throw invalid(`${entry.digest}: ${parsed.error}`);
  const references = referencesOf(entry);
  if (parsed.value.kind === "index") {
    const chosen = depth > 0 ? choosePlatform(parsed.value.entries, platform) : undefined;
    if (chosen === undefined) throw invalid(`${entry.digest} has no image for ${formatPlatform(platform)}`);
    const image = await readEntry(archive, chosen, platform, depth - 1);
    return { ...image, references: references.length > 0 ? references : image.references };
  }
  const { config, layers } = parsed.value.manifest;
  const configuration = parseConfiguration(await archive.read(blobPath(config.digest)));
  if (!configuration.ok) throw invalid(configuration.error);
  for (const { digest } of [config, ...layers]) await archive.blob(blobPath(digest));
  const manifest = { bytes, mediaType: mediaTypeOf(bytes, entry.mediaType) };
  return { assembly: { configuration: configuration.value, config, layers, manifest }, references };
}

/** containerd's full name takes precedence over OCI's, which may be a bare tag and then gives no name. */
function referencesOf({ annotations = {} }: IndexEntry): readonly Reference[] {
  const named = annotations["io.containerd.image.name"] ?? annotations["org.opencontainers.image.ref.name"];
  if (named === undefined || !/[:/]/.test(named)) return [];
  const parsed = parseReference(named);
  return parsed.ok && parsed.value.digest === undefined ? [withDefaultTag(parsed.value)] : [];
}
