import { EngineError } from "../../engine/errors.ts";
import type { Catalogue, StoredImage } from "../../images/catalogue.ts";
import type { ImageContext } from "../../images/context.ts";
import { within } from "../../images/disk-quota.ts";
import { type ImageIndex, readIndex } from "../../images/manifest/image-index.ts";
import type { Descriptor } from "../../images/manifest/manifest.ts";
import { digestOf, isPlainLayer, MEDIA_TYPES, parseDocument } from "../../images/manifest/manifest.ts";
import { choosePlatform } from "../../images/manifest/platform.ts";
import { isDigest } from "../../images/reference/reference.ts";
import type { ImageWriter, Sources } from "../../images/store.ts";
import { holdBlobs } from "../../images/transfer/install.ts";
import { type DoorTarget, RESULT_REPOSITORY } from "./names.ts";
import { type ResultPart, ResultParts } from "./result-parts.ts";

export interface SessionOptions {
  readonly images: ImageContext;
  /**
   * Finds or pulls the image that a builder asks for, or several of which it picks one by its platform. Throws what keeps it from the
   * build.
   */
  readonly resolve: (target: DoorTarget) => Promise<StoredImage | readonly StoredImage[]>;
  /** The images that the build's owner sees, whose layers may become part of the result. */
  readonly visible: () => Catalogue;
  /** For a user's build, whose the result becomes and what it was built from; undefined for everyone's. */
  readonly own: (image: StoredImage) => { readonly owner: string; readonly sources: Sources } | undefined;
  /**
   * Told of a result before its images become the engine's, with the repository that it was put into. Throws where the owner may not
   * have it: it takes more of the disk than is left, for one.
   */
  readonly accept: (result: DoorResult, repository: string) => Promise<void>;
  readonly signal: AbortSignal;
}

/** What a builder gave: an image, or an index of images for several platforms and of attestations. */
export interface DoorResult {
  /** For the host's platform, where there is one. */
  readonly image: StoredImage;
  /** All of them. */
  readonly images: readonly StoredImage[];
  readonly index: ImageIndex | undefined;
}

/** What a builder reads of an image. */
interface ShownManifest {
  readonly bytes: Buffer;
  readonly descriptor: Descriptor;
}

/** One image for several platforms. */
function indexOf(images: readonly StoredImage[]): ShownManifest {
  const manifests = images.map(({ manifest: { mediaType, digest, size }, configuration }) => {
    const { os, architecture, variant } = configuration;
    return { mediaType, digest, size, platform: { os, architecture, ...(variant && { variant }) } };
  });
  const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: MEDIA_TYPES.index, manifests }));
  return { bytes, descriptor: { mediaType: MEDIA_TYPES.index, digest: digestOf(bytes), size: bytes.length } };
}

/** What a builder asked for in vain: the reason is told in place of the builder's words. */
export interface DoorFailure {
  readonly thrown: unknown;
}

/** One build's view of the store: the images that it may read, and the blobs that it wrote. */
export class DoorSession {
  readonly #options: SessionOptions;
  readonly #writer: ImageWriter;
  readonly #readable = new Map<string, Descriptor>();
  /** The images that were shown, by the digest of their manifest. */
  readonly #shown = new Map<string, StoredImage>();
  /** What was shown in place of several, by its digest. */
  readonly #indexes = new Map<string, ShownManifest>();
  readonly #written = new Map<string, number>();
  #failure: DoorFailure | undefined;
  readonly #results = new Map<string, DoorResult>();
  readonly #parts: ResultParts;

  constructor(options: SessionOptions, writer: ImageWriter) {
    this.#options = options;
    this.#writer = writer;
    this.#parts = new ResultParts(options.images, writer, options.signal);
  }

  /** The first failure to give the builder an image. */
  get failure(): DoorFailure | undefined {
    return this.#failure;
  }

  /** What the builder put into a repository. */
  result(repository: string): DoorResult | undefined {
    return this.#results.get(repository);
  }

  /** The manifest of an image, or an index of several, which from now on the builder may read the blobs of. */
  async manifest(target: DoorTarget): Promise<ShownManifest> {
    try {
      const digest = target.kind === "reference" ? target.reference.digest : undefined;
      const index = this.#indexes.get(digest ?? "");
      if (index !== undefined) return index;
      const shown = this.#shown.get(digest ?? "");
      const found = shown ?? (await this.#options.resolve(target));
      if ("id" in found) return await this.#show(found);
      for (const image of found) await this.#show(image);
      const several = indexOf(found);
      this.#indexes.set(several.descriptor.digest, several);
      return several;
    } catch (thrown) {
      this.#failure ??= { thrown };
      throw thrown;
    }
  }

  /** Lets the builder read an image, and gives its manifest. */
  async #show(image: StoredImage): Promise<ShownManifest> {
    this.#shown.set(image.manifest.digest, image);
    const { bytes, config, layers } = await this.#manifestOf(image);
    await holdBlobs(this.#writer, [config, ...layers]);
    for (const blob of [config, ...layers]) this.#readable.set(blob.digest, blob);
    return { bytes, descriptor: image.manifest };
  }

  /** Whether the builder may read the blob. */
  mayRead(digest: string): boolean {
    return this.#readable.has(digest);
  }

  read(digest: string): AsyncIterable<Buffer> {
    return this.#options.images.store.read(digest, { signal: this.#options.signal });
  }

  /**
   * The size of a blob that a result in the repository may refer to, and that need not be sent: one that was written or read, or for an
   * image alone the unpacked form of a layer that an image of the owner's has. Undefined for all others.
   */
  async known(repository: string, digest: string): Promise<number | undefined> {
    const there = this.#written.get(digest) ?? this.#readable.get(digest)?.size;
    return there ?? (repository === RESULT_REPOSITORY ? (await this.#layerOf(digest))?.size : undefined);
  }

  /** Writes a blob of the result and returns its digest. */
  async write(bytes: AsyncIterable<Uint8Array>): Promise<string> {
    const { images, signal } = this.#options;
    let size = 0;
    async function* counted(): AsyncGenerator<Uint8Array> {
      for await (const chunk of within(images.quota, bytes)) {
        size += chunk.length;
        yield chunk;
      }
    }
    const digest = await this.#writer.blob(counted(), { signal });
    this.#written.set(digest, size);
    return digest;
  }

  /**
   * Takes a manifest or an index. One that is put by its digest is a part of the index that follows; one by a tag is the result. Throws
   * `invalid` if it is none, or refers to what the builder has not sent.
   */
  async put(repository: string, reference: string, bytes: Buffer): Promise<void> {
    try {
      const digest = digestOf(bytes);
      if (isDigest(reference) && reference !== digest)
        throw new EngineError("invalid", `DIGEST_INVALID: the bytes are ${digest}`);
      const part = await this.#parts.add(bytes, (layer) => this.#stored(layer));
      const [image] = part.index === undefined ? part.images : [];
      if (isDigest(reference) && image !== undefined && image.manifest.digest !== digest)
        throw new EngineError(
          "invalid",
          "MANIFEST_BLOB_UNKNOWN: a layer was not sent in the form that the manifest names",
        );
      if (!isDigest(reference)) await this.#take(repository, part);
    } catch (thrown) {
      this.#failure ??= { thrown };
      throw thrown;
    }
  }

  async #take(repository: string, { images, index }: ResultPart): Promise<void> {
    const { own, accept, images: context } = this.#options;
    const { library, store, platform } = context;
    const entries = images.map((image) => ({ ...image.manifest, image, platform: image.configuration }));
    const image = choosePlatform(entries, platform)?.image ?? images[0];
    if (image === undefined) throw new EngineError("invalid", "MANIFEST_INVALID: an index without an image");
    const result = { image, images, index: index && (await readIndex(store, index)) };
    await accept(result, repository);
    const added: StoredImage[] = [];
    for (const each of images) added.push(await library.add(each, own(each)));
    this.#results.set(repository, { ...result, images: added, image: added[images.indexOf(image)] ?? image });
  }

  /** The blob of a layer as the store has it. */
  async #stored(layer: Descriptor): Promise<Descriptor> {
    const size = this.#written.get(layer.digest);
    if (size !== undefined) {
      const compression = isPlainLayer(layer.mediaType) ? "" : layer.mediaType.endsWith("zstd") ? "+zstd" : "+gzip";
      return { mediaType: `${MEDIA_TYPES.layer}${compression}`, digest: layer.digest, size };
    }
    const known = this.#readable.get(layer.digest) ?? (await this.#layerOf(layer.digest));
    if (known === undefined) throw new EngineError("invalid", `${layer.digest} was not sent`);
    await holdBlobs(this.#writer, [known]);
    return known;
  }

  /** The layer with this diff id, among the images that the owner sees. */
  async #layerOf(diffId: string): Promise<Descriptor | undefined> {
    for (const image of this.#options.visible().images.values()) {
      const index = image.configuration.rootfs.diff_ids.indexOf(diffId);
      if (index < 0) continue;
      return (await this.#manifestOf(image)).layers[index];
    }
    return undefined;
  }

  async #manifestOf(image: StoredImage) {
    const bytes = await this.#options.images.store.readAll(image.manifest.digest);
    const document = parseDocument(bytes);
    if (!document.ok || document.value.kind !== "manifest")
      throw new EngineError("failed", `image ${image.id} has no manifest`);
    return { bytes, ...document.value.manifest };
  }
}
