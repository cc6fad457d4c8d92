import { EngineError } from "../../engine/errors.ts";
import type { StoredImage } from "../../images/catalogue.ts";
import type { ImageContext } from "../../images/context.ts";
import { parseConfiguration } from "../../images/manifest/configuration.ts";
import {
  type Descriptor,
  digestOf,
  type IndexEntry,
  type Manifest,
  MEDIA_TYPES,
  mediaTypeOf,
  parseDocument,
  partsOf,
} from "../../images/manifest/manifest.ts";
import type { ImageWriter } from "../../images/store.ts";
import { MAX_CONFIGURATION_BYTES } from "../../images/transfer/fetch-image.ts";
import { holdBlobs, install } from "../../images/transfer/install.ts";

/** A manifest or an index that a builder has put, with the images that it stands for. */
export interface ResultPart {
  /** None for an attestation. */
  readonly images: readonly StoredImage[];
  /** Of an index. */
  readonly index: Descriptor | undefined;
}

/** A blob that the builder refers to, as the store has it. Throws `invalid` for one that was not sent. */
type Stored = (blob: Descriptor) => Promise<Descriptor>;

/** More than this many manifests of one build are refused. */
const MOST_PARTS = 1000;

/** The manifests that a builder puts: its images, installed as they come, attestations, and the index of both. */
export class ResultParts {
  readonly #context: ImageContext;
  readonly #writer: ImageWriter;
  readonly #signal: AbortSignal;
  /** By the digest of the manifest. */
  readonly #parts = new Map<string, ResultPart>();

  constructor(context: ImageContext, writer: ImageWriter, signal: AbortSignal) {
    this.#context = context;
    this.#writer = writer;
    this.#signal = signal;
  }

  /** Takes one that refers to nothing but what `stored` gives and what was added before. Throws `invalid`. */
  async add(bytes: Buffer, stored: Stored): Promise<ResultPart> {
    if (this.#parts.size >= MOST_PARTS)
      throw new EngineError("too-many", `TOOMANYREQUESTS: over ${MOST_PARTS} manifests`);
    const part = await this.#partOf(bytes, stored);
    this.#parts.set(digestOf(bytes), part);
    return part;
  }

  async #partOf(bytes: Buffer, stored: Stored): Promise<ResultPart> {
    const document = parseDocument(bytes);
    if (document.ok)
      return document.value.kind === "index"
        ? await this.#addIndex(bytes, document.value.entries)
        : { images: [await this.#install(bytes, document.value.manifest, stored)], index: undefined };
    // An attestation's layers are statements, which are unpacked nowhere.
    const parts = partsOf(bytes);
    if (parts === undefined) throw new EngineError("invalid", document.error);
    const [config, ...layers] = await this.#exact([parts.config, ...parts.layers], stored);
    if (config === undefined) throw new EngineError("invalid", document.error);
    await this.#writer.manifest(bytes, { mediaType: mediaTypeOf(bytes, undefined), config, layers, chainId: "" });
    return { images: [], index: undefined };
  }

  async #addIndex(bytes: Buffer, entries: readonly IndexEntry[]): Promise<ResultPart> {
    const parts = entries.map(({ digest }) => this.#parts.get(digest));
    const missing = entries.find((_, at) => parts[at] === undefined);
    if (missing !== undefined)
      throw new EngineError("invalid", `MANIFEST_BLOB_UNKNOWN: ${missing.digest} was not sent`);
    const index = await this.#writer.index(bytes, { mediaType: mediaTypeOf(bytes, undefined), manifests: entries });
    return { images: parts.flatMap((part) => part?.images ?? []), index };
  }

  async #install(bytes: Buffer, { config, layers }: Manifest, stored: Stored): Promise<StoredImage> {
    const { unpacking, quota, store } = this.#context;
    if (config.size > MAX_CONFIGURATION_BYTES)
      throw new EngineError("too-large", "the image's configuration is too large");
    await stored(config);
    const configuration = parseConfiguration(await store.readAll(config.digest));
    if (!configuration.ok) throw new EngineError("invalid", configuration.error);
    if (configuration.value.os !== "linux")
      throw new EngineError("invalid", `an image for ${configuration.value.os} cannot be used on this platform`);
    const found: Descriptor[] = [];
    for (const layer of layers) found.push(await stored(layer));
    // One that names the store's blobs stays as it is, with its annotations, since an index may name it.
    const isExact = found.every(({ digest }, at) => digest === layers[at]?.digest);
    const manifest = { bytes, mediaType: mediaTypeOf(bytes, undefined) };
    const assembly = {
      configuration: configuration.value,
      config: { ...config, mediaType: MEDIA_TYPES.config },
      layers: found,
      ...(isExact && { manifest }),
    };
    return await install(this.#writer, assembly, { unpacking, quota, signal: this.#signal });
  }

  /** Blobs that have to be here as they are. */
  async #exact(blobs: readonly Descriptor[], stored: Stored): Promise<readonly Descriptor[]> {
    for (const blob of blobs) {
      const { digest } = await stored(blob);
      if (digest !== blob.digest) throw new EngineError("invalid", `${blob.digest} was not sent`);
    }
    await holdBlobs(this.#writer, blobs);
    return blobs;
  }
}
