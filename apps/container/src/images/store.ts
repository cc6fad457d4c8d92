import type { Descriptor } from "./manifest/manifest.ts";

/** A name that keeps an image from garbage collection. */
export interface ImageRecord {
  /** A normalised reference with a tag or digest, or an image id for the record that every image has. */
  readonly name: string;
  /** The user whose own name this is; absent for everyone's. */
  readonly owner?: string;
  /** The image's id: the digest of its configuration. */
  readonly imageId: string;
  readonly manifest: Descriptor;
  readonly details?: ImageDetails;
  /** In a user's own record by id: what the image was built from. */
  readonly sources?: Sources;
  /** RFC 3339: when the record was last put; the store's to say. */
  readonly putAt?: string;
}

/** The id and the full names of each image that an image was built from, as they were then. */
export type Sources = readonly (readonly string[])[];

/** What the record by id stores beside the manifest. */
export interface ImageDetails {
  /** Unpacked bytes of each layer, bottom first. */
  readonly layerSizes: readonly number[];
  /** The image it was committed on, "" for none. */
  readonly parent: string;
}

/**
 * The image store: blobs by digest, unpacked layers by chain id, records by name.
 * Keeps what the manifests of records refer to and collects everything else. Throws EngineError.
 */
export interface ImageStore {
  records(): Promise<readonly ImageRecord[]>;
  /** Reads a blob. Throws `not-found`. */
  read(digest: string, options?: { readonly signal?: AbortSignal }): AsyncIterable<Buffer>;
  /** Reads a whole small blob: a manifest or a configuration. */
  readAll(digest: string): Promise<Buffer>;
  /** The digests of all blobs that are here. */
  digests(): Promise<ReadonlySet<string>>;
  /** Releases what an interrupted run left behind. Call it while no write is in progress. */
  sweep(): Promise<void>;
  /** Runs `use`. Everything it writes or holds is kept at least until it settles; a failure removes what it wrote. */
  write<T>(use: (writer: ImageWriter) => Promise<T>): Promise<T>;
  /**
   * Adds the record or replaces the one with its name and owner. Returns when the store put it, as `putAt` of a record has it. Throws
   * `too-large` for sources that it cannot hold.
   */
  put(record: ImageRecord): Promise<string>;
  /** Lets go of manifests that an index refers to; what nothing else refers to is collected. */
  unlink(index: string, manifests: readonly string[]): Promise<void>;
  /** Removes a record. Idempotent. With `gc: "wait"` it settles once everything that only this name kept is deleted. */
  delete(name: string, options?: { readonly owner?: string; readonly gc?: "wait" | "later" }): Promise<void>;
}

export interface BlobWish {
  /** Undefined if only the bytes can tell. */
  readonly digest?: string;
  /** Bytes. */
  readonly size?: number;
  readonly signal?: AbortSignal;
}

export interface ImageWriter {
  /** Pins the blob. Returns false if it does not exist. */
  holdBlob(digest: string): Promise<boolean>;
  /** Pins the unpacked layers up to this chain id. Returns false if they do not exist. */
  holdLayers(chainId: string): Promise<boolean>;
  /** Writes a blob and returns its digest; the bytes of one that is here are not read. Throws `conflict` if they do not match `wish`. */
  blob(bytes: AsyncIterable<Uint8Array>, wish?: BlobWish): Promise<string>;
  /** Unpacks the layer on top of `parent` ("" for none). Throws `conflict` if its diff id is not `diffId`. */
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
   * Size of one unpacked layer without those below it: `content` is the bytes of its files, as Docker shows sizes; `disk` is all the
   * space it takes, with directories, which the limits apply to.
   */
  layerSize(chainId: string): Promise<{ readonly content: number; readonly disk: number }>;
  /** Writes an index with references to its manifests, which may be missing. */
  index(
    bytes: Buffer,
    parts: { readonly mediaType: string; readonly manifests: readonly Descriptor[] },
  ): Promise<Descriptor>;
  /** Writes the manifest with references to its parts, and from its configuration to the layers unpacked as `chainId`. */
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
