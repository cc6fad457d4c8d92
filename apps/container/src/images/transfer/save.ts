import type { Readable } from "node:stream";
import { Readable as NodeReadable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { pack } from "tar-stream";
import { EngineError } from "../../engine/errors.ts";
import type { Catalogue, StoredImage } from "../catalogue.ts";
import { findImage } from "../catalogue.ts";
import type { ImageContext } from "../context.ts";
import { tell } from "../context.ts";
import type { Descriptor } from "../manifest/manifest.ts";
import { MEDIA_TYPES, parseDocument } from "../manifest/manifest.ts";
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
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
}

/**
 * Packs the named images into one tar, both a `docker save` archive and an OCI layout; a repository without a tag means all its tags.
 * Resolves the names before the first byte, so `not-found` and `invalid` are thrown.
 *
 * @param catalogue what the caller sees of the library.
 */
export async function saveImages(
  context: ImageContext,
  catalogue: Catalogue,
  names: readonly string[],
): Promise<Readable> {
  const { store } = context;
  const chosen = chooseImages(catalogue, names);
  const saved = await Promise.all(
    [...chosen].map(async ([image, tags]): Promise<Saved> => {
      const parsed = parseDocument(await store.readAll(image.manifest.digest));
      if (!parsed.ok || parsed.value.kind !== "manifest")
        throw new EngineError("failed", `image ${image.id} has no manifest`);
      return { image, tags, ...parsed.value.manifest };
    }),
  );
  for (const { image } of saved) tell(context, "save", { id: image.id, name: image.id });
  return NodeReadable.from(archiveOf(saved, store), { objectMode: false });
}

function chooseImages(catalogue: Catalogue, names: readonly string[]): ReadonlyMap<StoredImage, readonly Reference[]> {
  const chosen = new Map<StoredImage, Reference[]>();
  const choose = (image: StoredImage, tag: Reference | undefined): void => {
    const tags = chosen.get(image) ?? [];
    if (tag !== undefined && !tags.some((other) => formatReference(other) === formatReference(tag))) tags.push(tag);
    chosen.set(image, tags);
  };
  for (const name of names) {
    const parsed = parseImageName(name);
    const reference = parsed.ok && parsed.value.kind === "reference" ? parsed.value.reference : undefined;
    const siblings =
      reference?.tag === undefined && reference?.digest === undefined ? tagsOf(catalogue, reference) : [];
    for (const { image, tag } of siblings) choose(image, tag);
    if (siblings.length > 0) continue;
    const image = findImage(catalogue, name);
    const tagged =
      reference?.tag !== undefined && catalogue.names.get(formatReference(reference))?.imageId === image.id;
    choose(image, tagged ? reference : undefined);
  }
  return chosen;
}

function tagsOf(
  { names, images }: Catalogue,
  repository: Reference | undefined,
): readonly { readonly image: StoredImage; readonly tag: Reference }[] {
  if (repository === undefined) return [];
  const wished = formatReference(repository);
  return [...names.values()].flatMap(({ reference, imageId }) => {
    const image = images.get(imageId);
    const isTag = reference.tag !== undefined && formatReference(repositoryOf(reference)) === wished;
    return isTag && image !== undefined ? [{ image, tag: reference }] : [];
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
    for (const { image, config, layers } of saved) {
      await holdBlobs(writer, [...layers, config, image.manifest]);
    }
    for (const { image, config, layers } of saved) {
      for (const blob of [...layers, config, image.manifest]) await addBlob(blob);
    }
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

function indexEntries({ image, tags }: Saved): readonly object[] {
  const platform = { architecture: image.configuration.architecture, os: image.configuration.os };
  if (tags.length === 0) return [{ ...image.manifest, platform }];
  return tags.map((tag) => ({
    ...image.manifest,
    platform,
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
