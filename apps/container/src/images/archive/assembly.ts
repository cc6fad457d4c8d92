import type { Configuration } from "../manifest/configuration.ts";
import type { Descriptor } from "../manifest/manifest.ts";
import type { Reference } from "../reference/reference.ts";

/** An image whose blobs are in the store, by a writer that still holds them. */
export interface Assembly {
  readonly configuration: Configuration;
  /** The configuration's blob: the image's id is its digest. */
  readonly config: Descriptor;
  /** Bottom first, one for each diff id. */
  readonly layers: readonly Descriptor[];
  /** The manifest as it came; absent, one is made. */
  readonly manifest?: { readonly bytes: Buffer; readonly mediaType: string };
  readonly parent?: string;
}

/** An image of an archive, with the names that the archive gives it. */
export interface LoadedImage {
  readonly assembly: Assembly;
  readonly references: readonly Reference[];
}
