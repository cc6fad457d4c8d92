import { EngineError } from "../../engine/errors.ts";
import type { Catalogue, StoredImage } from "../../images/catalogue.ts";
import type { ImageContext } from "../../images/context.ts";
import { within } from "../../images/disk-quota.ts";
import { parseConfiguration } from "../../images/manifest/configuration.ts";
import type { Descriptor } from "../../images/manifest/manifest.ts";
import { isPlainLayer, MEDIA_TYPES, parseDocument } from "../../images/manifest/manifest.ts";
import type { ImageWriter, Sources } from "../../images/store.ts";
import { MAX_CONFIGURATION_BYTES } from "../../images/transfer/fetch-image.ts";
import { holdBlobs, install } from "../../images/transfer/install.ts";
import type { DoorTarget } from "./names.ts";

export interface SessionOptions {
  readonly images: ImageContext;
  /** Finds or pulls the image that a builder asks for. Throws what keeps it from the build. */
  readonly resolve: (target: DoorTarget) => Promise<StoredImage>;
  /** The images that the build's owner sees, whose layers may become part of the result. */
  readonly visible: () => Catalogue;
  /** For a user's build, whose the result becomes and what it was built from; undefined for everyone's. */
  readonly own: (image: StoredImage) => { readonly owner: string; readonly sources: Sources } | undefined;
  /**
   * Told of a result before it becomes an image, with the repository that it was put into. Throws where the owner may not have it: it
   * takes more of the disk than is left, for one.
   */
  readonly accept: (image: StoredImage, repository: string) => Promise<void>;
  readonly signal: AbortSignal;
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
  readonly #written = new Map<string, number>();
  #failure: DoorFailure | undefined;
  readonly #results = new Map<string, StoredImage>();

  constructor(options: SessionOptions, writer: ImageWriter) {
    this.#options = options;
    this.#writer = writer;
  }

  /** The first failure to give the builder an image. */
  get failure(): DoorFailure | undefined {
    return this.#failure;
  }

  /** The image that the builder put into a repository. */
  result(repository: string): StoredImage | undefined {
    return this.#results.get(repository);
  }

  /** The manifest of an image, which from now on the builder may read the blobs of. */
  async manifest(target: DoorTarget): Promise<{ readonly bytes: Buffer; readonly descriptor: Descriptor }> {
    try {
      const digest = target.kind === "reference" ? target.reference.digest : undefined;
      const image = this.#shown.get(digest ?? "") ?? (await this.#options.resolve(target));
      this.#shown.set(image.manifest.digest, image);
      const { bytes, config, layers } = await this.#manifestOf(image);
      await holdBlobs(this.#writer, [config, ...layers]);
      for (const blob of [config, ...layers]) this.#readable.set(blob.digest, blob);
      return { bytes, descriptor: image.manifest };
    } catch (thrown) {
      this.#failure ??= { thrown };
      throw thrown;
    }
  }

  /** Whether the builder may read the blob. */
  mayRead(digest: string): boolean {
    return this.#readable.has(digest);
  }

  read(digest: string): AsyncIterable<Buffer> {
    return this.#options.images.store.read(digest, { signal: this.#options.signal });
  }

  /**
   * The size of a blob that the result may refer to, and that need not be sent: one that was written or read, or the unpacked form of a
   * layer that an image of the owner's has. Undefined for all others.
   */
  async known(digest: string): Promise<number | undefined> {
    return this.#written.get(digest) ?? (this.#readable.get(digest) ?? (await this.#layerOf(digest)))?.size;
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

  /** Makes an image of the manifest. Throws `invalid` if it is none, or refers to blobs that the builder has not. */
  async put(repository: string, bytes: Buffer): Promise<StoredImage> {
    try {
      return await this.#put(repository, bytes);
    } catch (thrown) {
      this.#failure ??= { thrown };
      throw thrown;
    }
  }

  async #put(repository: string, bytes: Buffer): Promise<StoredImage> {
    const { images, signal, own, accept } = this.#options;
    const document = parseDocument(bytes);
    if (!document.ok) throw new EngineError("invalid", document.error);
    if (document.value.kind !== "manifest") throw new EngineError("invalid", "a result is a manifest, and no index");
    const { config, layers } = document.value.manifest;
    if (!this.#written.has(config.digest)) throw new EngineError("invalid", `${config.digest} was not sent`);
    if (config.size > MAX_CONFIGURATION_BYTES)
      throw new EngineError("too-large", "the image's configuration is too large");
    const configuration = parseConfiguration(await images.store.readAll(config.digest));
    if (!configuration.ok) throw new EngineError("invalid", configuration.error);
    const found: Descriptor[] = [];
    for (const layer of layers) found.push(await this.#stored(layer));
    const { unpacking, quota, library } = images;
    const assembly = {
      configuration: configuration.value,
      config: { ...config, mediaType: MEDIA_TYPES.config },
      layers: found,
    };
    const image = await install(this.#writer, assembly, { unpacking, quota, signal });
    await accept(image, repository);
    const added = await library.add(image, own(image));
    this.#results.set(repository, added);
    return added;
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
