import type { Configuration } from "../manifest/configuration.ts";
import type { Descriptor, IndexEntry, Manifest } from "../manifest/manifest.ts";
import type { Reference } from "../reference/reference.ts";

/** An image whose blobs are in the store, pinned by a writer. */
export interface Assembly {
  readonly configuration: Configuration;
  /** The configuration's blob; its digest is the image's id. */
  readonly config: Descriptor;
  /** Bottom first, one per diff id. */
  readonly layers: readonly Descriptor[];
  /** The original manifest; without one, a new one is generated. */
  readonly manifest?: { readonly bytes: Buffer; readonly mediaType: string };
  readonly parent?: string;
}

/** An image from an archive, or those of an index there, with the names that it has there. */
export interface LoadedImage {
  readonly assemblies: readonly Assembly[];
  readonly index?: LoadedIndex;
  readonly references: readonly Reference[];
}

/** What an archive has of an index beside its images. */
export interface LoadedIndex {
  readonly bytes: Buffer;
  readonly mediaType: string;
  readonly entries: readonly IndexEntry[];
  /** Manifests that are no images, such as attestations. */
  readonly others: readonly { readonly bytes: Buffer; readonly mediaType: string; readonly parts: Manifest }[];
  readonly inner: readonly LoadedIndex[];
}
