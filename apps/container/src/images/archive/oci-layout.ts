import { EngineError } from "../../engine/errors.ts";
import { type Configuration, parseConfiguration } from "../manifest/configuration.ts";
import { MAX_INDEX_DEPTH, memberOf } from "../manifest/image-index.ts";
import type { Descriptor, Document, IndexEntry, Platform } from "../manifest/manifest.ts";
import { isIndexType, mediaTypeOf, parseDocument } from "../manifest/manifest.ts";
import { formatPlatform, platformMatches } from "../manifest/platform.ts";
import type { Reference } from "../reference/reference.ts";
import { parseReference, withDefaultTag } from "../reference/reference.ts";
import type { Archive } from "./archive.ts";
import type { Assembly, LoadedImage, LoadedIndex } from "./assembly.ts";

function invalid(message: string): EngineError {
  return new EngineError("invalid", `invalid archive: ${message}`);
}

function blobPath(digest: string): string {
  return `blobs/${digest.replace(":", "/")}`;
}

/** The images of an OCI layout (image-spec 1.1); of an index all that are there, or those for `wished` alone. */
export async function readLayout(archive: Archive, wished: Platform | undefined): Promise<readonly LoadedImage[]> {
  if (!archive.has("index.json")) throw invalid("does not contain a manifest.json");
  const top = parseDocument(await archive.read("index.json"));
  if (!top.ok) throw invalid(`index.json: ${top.error}`);
  if (top.value.kind !== "index") throw invalid("index.json is no index");
  const images: LoadedImage[] = [];
  for (const entry of top.value.entries) images.push(await readEntry(archive, entry, wished));
  return images;
}

async function readEntry(archive: Archive, entry: IndexEntry, wished: Platform | undefined): Promise<LoadedImage> {
  const references = referencesOf(entry);
  const document = await readDocument(archive, entry);
  if (document.kind === "manifest") return { assemblies: [await readImage(archive, entry)], references };
  const { assemblies, ...index } = await readIndex(archive, entry, wished, MAX_INDEX_DEPTH);
  const platform = wished === undefined ? "any platform" : formatPlatform(wished);
  if (assemblies.length === 0) throw invalid(`${entry.digest} has no image for ${platform}`);
  return { assemblies, index, references };
}

async function readDocument(archive: Archive, { digest }: IndexEntry): Promise<Document> {
  const parsed = parseDocument(await readChecked(archive, digest));
  if (!parsed.ok) throw invalid(`${digest}: ${parsed.error}`);
  return parsed.value;
}

/** A small file's digest is only checked when it becomes a blob. */
async function readChecked(archive: Archive, digest: string): Promise<Buffer> {
  await archive.blob(blobPath(digest));
  return archive.read(blobPath(digest));
}

async function readImage(archive: Archive, entry: IndexEntry): Promise<Assembly> {
  const bytes = await readChecked(archive, entry.digest);
  const parsed = parseDocument(bytes);
  if (!parsed.ok) throw invalid(`${entry.digest}: ${parsed.error}`);
  if (parsed.value.kind === "index") throw invalid(`${entry.digest} is an index`);
  const { config, layers } = parsed.value.manifest;
  const configuration = await readConfiguration(archive, config);
  for (const { digest } of [config, ...layers]) await archive.blob(blobPath(digest));
  const manifest = { bytes, mediaType: mediaTypeOf(bytes, entry.mediaType) };
  return { configuration, config, layers, manifest };
}

async function readConfiguration(archive: Archive, { digest }: Descriptor): Promise<Configuration> {
  const configuration = parseConfiguration(await archive.read(blobPath(digest)));
  if (!configuration.ok) throw invalid(configuration.error);
  return configuration.value;
}

/** Reads an index; what an archive leaves out, as one of some platforms does, stays missing. */
async function readIndex(
  archive: Archive,
  entry: IndexEntry,
  wished: Platform | undefined,
  depth: number,
): Promise<LoadedIndex & { readonly assemblies: readonly Assembly[] }> {
  const bytes = await readChecked(archive, entry.digest);
  const parsed = parseDocument(bytes);
  if (!parsed.ok || parsed.value.kind !== "index") throw invalid(`${entry.digest} is no index`);
  if (depth === 0) throw invalid(`an index within an index, more than ${MAX_INDEX_DEPTH} deep`);
  const { entries } = parsed.value;
  const assemblies: Assembly[] = [];
  const others: LoadedIndex["others"][number][] = [];
  const inner: LoadedIndex[] = [];
  for (const member of entries) {
    if (!archive.has(blobPath(member.digest))) continue;
    if (isIndexType(member.mediaType)) {
      const { assemblies: more, ...nested } = await readIndex(archive, member, wished, depth - 1);
      assemblies.push(...more);
      inner.push(nested);
      continue;
    }
    const manifest = await archive.read(blobPath(member.digest));
    const { kind, parts } = memberOf(member, manifest);
    if (parts === undefined || ![parts.config, ...parts.layers].every(({ digest }) => archive.has(blobPath(digest))))
      continue;
    if (kind === "image") {
      if (isWished(await readConfiguration(archive, parts.config), wished))
        assemblies.push(await readImage(archive, member));
    } else {
      for (const { digest } of [member, parts.config, ...parts.layers]) await archive.blob(blobPath(digest));
      others.push({ bytes: manifest, mediaType: mediaTypeOf(manifest, member.mediaType), parts });
    }
  }
  return { bytes, mediaType: mediaTypeOf(bytes, entry.mediaType), entries, others, inner, assemblies };
}

function isWished(platform: Platform, wished: Platform | undefined): boolean {
  return wished === undefined || platformMatches(wished, platform);
}

/** containerd's full name takes precedence over OCI's, which may be a bare tag and then gives no name. */
function referencesOf({ annotations = {} }: IndexEntry): readonly Reference[] {
  const named = annotations["io.containerd.image.name"] ?? annotations["org.opencontainers.image.ref.name"];
  if (named === undefined || !/[:/]/.test(named)) return [];
  const parsed = parseReference(named);
  return parsed.ok && parsed.value.digest === undefined ? [withDefaultTag(parsed.value)] : [];
}
