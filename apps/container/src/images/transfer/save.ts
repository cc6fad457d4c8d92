import type { Readable } from "node:stream";
import { Readable as NodeReadable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { pack } from "tar-stream";
import { EngineError } from "../../engine/errors.ts";
import type { Catalogue, FoundImage, StoredImage } from "../catalogue.ts";
import type { ImageContext } from "../context.ts";
import { tell } from "../context.ts";
import { expectPlatform, findTarget, targetOf } from "../find-image.ts";
import type { Descriptor } from "../manifest/manifest.ts";
import { isIndexType, MEDIA_TYPES, parseDocument } from "../manifest/manifest.ts";
import type { Reference } from "../reference/reference.ts";
import {
  familiarRepository,
  formatFamiliar,
  formatReference,
  parseImageName,
  repositoryOf,
} from "../reference/reference.ts";
import type { ImageStore, ImageWriter } from "../store.ts";
import { holdBlobs } from "./install.ts";

interface Saved {
  readonly image: StoredImage;
  readonly tags: readonly Reference[];
  /** Of `image`, for readers of Docker's own format. */
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
  /** The image's manifest, or the index that its names mean. */
  readonly target: Descriptor;
  /** Everything of the target that the store has, itself included. */
  readonly blobs: readonly Descriptor[];
}

/**
 * Packs the named images into one tar, both a `docker save` archive and an OCI layout; a repository without a tag means all its tags.
 * Resolves the names before the first byte, so `not-found` and `invalid` are thrown.
 *
 * @param catalogue what the caller sees of the library.
 * @param platform of an index, the image for this platform alone; everything of it without one.
 */
export async function saveImages(
  context: ImageContext,
  catalogue: Catalogue,
  names: readonly string[],
  platform: string | undefined,
): Promise<Readable> {
  const { store } = context;
  const chosen = chooseImages(catalogue, names, (found, name) =>
    platform === undefined ? found : { image: expectPlatform(catalogue, name, found, platform, context.platform) },
  );
  const saved = await Promise.all([...chosen.values()].map((each) => contentOf(store, each)));
  for (const { image } of saved) tell(context, "save", { id: image.id, name: image.id });
  return NodeReadable.from(archiveOf(saved, store), { objectMode: false });
}

async function contentOf(store: ImageStore, { image, index, tags }: Chosen): Promise<Saved> {
  const parsed = parseDocument(await store.readAll(image.manifest.digest));
  if (!parsed.ok || parsed.value.kind !== "manifest")
    throw new EngineError("failed", `image ${image.id} has no manifest`);
  const { config, layers } = parsed.value.manifest;
  const own = [...layers, config, image.manifest];
  if (index === undefined) return { image, tags, config, layers, target: image.manifest, blobs: own };
  const members = index.members.flatMap(({ entry, parts }) =>
    parts === undefined ? [] : [...parts.layers, parts.config, entry],
  );
  const blobs = [...own, ...members, ...index.inner, index.descriptor];
  return { image, tags, config, layers, target: index.descriptor, blobs };
}

interface Chosen extends FoundImage {
  readonly tags: readonly Reference[];
}

/** @param narrow what is saved of a target. */
function chooseImages(
  catalogue: Catalogue,
  names: readonly string[],
  narrow: (found: FoundImage, name: string) => FoundImage,
): ReadonlyMap<string, Chosen> {
  const chosen = new Map<string, Chosen>();
  const choose = (target: FoundImage, name: string, tag: Reference | undefined): void => {
    const found = narrow(target, name);
    const key = found.index?.descriptor.digest ?? found.image.id;
    const { tags = [] } = chosen.get(key) ?? {};
    const known = tag === undefined || tags.some((other) => formatReference(other) === formatReference(tag));
    chosen.set(key, { ...found, tags: known ? tags : [...tags, tag] });
  };
  for (const name of names) {
    const parsed = parseImageName(name);
    const reference = parsed.ok && parsed.value.kind === "reference" ? parsed.value.reference : undefined;
    const siblings =
      reference?.tag === undefined && reference?.digest === undefined ? tagsOf(catalogue, reference) : [];
    for (const { target, tag } of siblings) choose(target, name, tag);
    if (siblings.length > 0) continue;
    const found = findTarget(catalogue, name);
    const tagged =
      reference?.tag !== undefined && catalogue.names.get(formatReference(reference))?.imageId === found.image.id;
    choose(found, name, tagged ? reference : undefined);
  }
  return chosen;
}

function tagsOf(
  catalogue: Catalogue,
  repository: Reference | undefined,
): readonly { readonly target: FoundImage; readonly tag: Reference }[] {
  if (repository === undefined) return [];
  const wished = formatReference(repository);
  return [...catalogue.names.values()].flatMap((named) => {
    const { reference } = named;
    const target = targetOf(catalogue, named);
    const isTag = reference.tag !== undefined && formatReference(repositoryOf(reference)) === wished;
    return isTag && target !== undefined ? [{ target, tag: reference }] : [];
  });
}

function pathOf(digest: string): string {
  return `blobs/${digest.replace(":", "/")}`;
}

async function* archiveOf(saved: readonly Saved[], store: ImageStore): AsyncGenerator<Buffer> {
  const tar = pack();
  const written = new Set<string>();
  const mtime = new Date(0);

  const addBytes = (name: string, content: string): void => {
    tar.entry({ name, mtime }, content);
  };
  const addBlob = async ({ digest, size }: Descriptor): Promise<void> => {
    if (written.has(digest)) return;
    written.add(digest);
    const entry = tar.entry({ name: pathOf(digest), size, mtime, mode: 0o644 });
    // A reader that disconnects destroys the tar; destroy the entry too, so that the blob is closed.
    const left = (): void => void entry.destroy();
    tar.once("close", left);
    await pipeline(store.read(digest), entry);
    tar.off("close", left);
  };
  const fill = async (writer: ImageWriter): Promise<void> => {
    // Pin all blobs first, so that no concurrent removal or push deletes one before it is read.
    for (const { blobs } of saved) await holdBlobs(writer, blobs);
    for (const { blobs } of saved) for (const blob of blobs) await addBlob(blob);
    addBytes("oci-layout", JSON.stringify({ imageLayoutVersion: "1.0.0" }));
    addBytes(
      "index.json",
      JSON.stringify({ schemaVersion: 2, mediaType: MEDIA_TYPES.index, manifests: saved.flatMap(indexEntries) }),
    );
    addBytes("manifest.json", JSON.stringify(saved.map(manifestEntry)));
    addBytes("repositories", JSON.stringify(repositoriesOf(saved)));
    tar.finalize();
  };
  const filled = store
    .write(fill)
    .catch((thrown: unknown) => tar.destroy(thrown instanceof Error ? thrown : new Error(String(thrown))));
  try {
    yield* tar as AsyncIterable<Buffer>;
  } finally {
    tar.destroy();
    await filled;
  }
}

function indexEntries({ image, tags, target }: Saved): readonly object[] {
  const platform = { architecture: image.configuration.architecture, os: image.configuration.os };
  const entry = isIndexType(target.mediaType) ? target : { ...target, platform };
  if (tags.length === 0) return [entry];
  return tags.map((tag) => ({
    ...entry,
    annotations: { "io.containerd.image.name": formatReference(tag), "org.opencontainers.image.ref.name": tag.tag },
  }));
}

function manifestEntry({ tags, config, layers }: Saved): object {
  return {
    Config: pathOf(config.digest),
    RepoTags: tags.length === 0 ? null : tags.map(formatFamiliar),
    Layers: layers.map(({ digest }) => pathOf(digest)),
  };
}

function repositoriesOf(saved: readonly Saved[]): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const repositories: Record<string, Record<string, string>> = {};
  for (const { image, tags } of saved) {
    for (const tag of tags) {
      const name = familiarRepository(tag);
      repositories[name] = { ...repositories[name], [tag.tag ?? ""]: image.id.replace("sha256:", "") };
    }
  }
  return repositories;
}
