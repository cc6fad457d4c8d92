import type { Configuration } from "../manifest/configuration.ts";
import type { Descriptor } from "../manifest/manifest.ts";
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

/** An image from an archive with the names it has there. */
export interface LoadedImage {
  readonly assembly: Assembly;
  readonly references: readonly Reference[];
}
