import type { Descriptor } from "./manifest/manifest.ts";

/** A name that keeps an image: what has none is collected as garbage. */
export interface ImageRecord {
  /** A normalised reference with a tag or a digest, or an image id for the record that every image has. */
  readonly name: string;
  /** The image's id: the digest of its configuration. */
  readonly imageId: string;
  readonly manifest: Descriptor;
  readonly details?: ImageDetails;
  /** RFC 3339: when the record was last put; the store's to say. */
  readonly putAt?: string;
}

/** What the record by id keeps beside the manifest. */
export interface ImageDetails {
  /** Bytes of each layer unpacked, bottom first. */
  readonly layerSizes: readonly number[];
  /** The image it was committed on top of, "" for none. */
  readonly parent: string;
}

/**
 * Where images are kept: blobs by digest, unpacked layers by chain id, records by name.
 * What a record's manifest refers to stays; everything else goes with its last reference.
 * Failures are EngineErrors.
 */
export interface ImageStore {
  records(): Promise<readonly ImageRecord[]>;
  /** The bytes of a blob; `not-found`. */
  read(digest: string, options?: { readonly signal?: AbortSignal }): AsyncIterable<Buffer>;
  /** A whole small blob: a manifest or a configuration. */
  readAll(digest: string): Promise<Buffer>;
  /** Lets go of what the writes of a run that was killed left behind. Call it while no write is under way. */
  sweep(): Promise<void>;
  /** Runs `use`: all that it writes or holds stays at least until it has settled. On failure nothing of it stays. */
  write<T>(use: (writer: ImageWriter) => Promise<T>): Promise<T>;
  /** Adds the record or puts it in place of the one by that name. */
  put(record: ImageRecord): Promise<void>;
  /** Idempotent. `gc: "wait"` answers when what only this name kept is gone. */
  delete(name: string, options?: { readonly gc?: "wait" | "later" }): Promise<void>;
}

export interface BlobWish {
  /** Undefined where only the bytes can tell. */
  readonly digest?: string;
  /** Bytes. */
  readonly size?: number;
  readonly signal?: AbortSignal;
}

export interface ImageWriter {
  /** Whether the blob is there, and if so keeps it. */
  holdBlob(digest: string): Promise<boolean>;
  /** Whether the unpacked layers up to this chain id are there, and if so keeps them. */
  holdLayers(chainId: string): Promise<boolean>;
  /** Writes a blob and answers its digest; `conflict` where bytes and wish differ. */
  blob(bytes: AsyncIterable<Uint8Array>, wish?: BlobWish): Promise<string>;
  /**
   * Unpacks the layer on top of `parent` ("" for none) and checks that it is the `diffId` that `chainId` was made of;
   * `conflict` where it is not.
   */
  unpack(
    layer: Descriptor,
    target: {
      readonly parent: string;
      readonly diffId: string;
      readonly chainId: string;
      readonly signal?: AbortSignal;
    },
  ): Promise<void>;
  /**
   * Bytes of one unpacked layer, those below not counted: `content` of its files, as Docker shows sizes; `disk` all that it takes, its
   * folders too, which is what limits hold for.
   */
  layerSize(chainId: string): Promise<{ readonly content: number; readonly disk: number }>;
  /** Writes the manifest and lets it refer to its parts, and its configuration to the layers unpacked as `chainId`. */
  manifest(
    bytes: Buffer,
    parts: {
      readonly mediaType: string;
      readonly config: Descriptor;
      readonly layers: readonly Descriptor[];
      readonly chainId: string;
    },
  ): Promise<Descriptor>;
}
