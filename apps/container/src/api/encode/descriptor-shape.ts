import type { ImageManifest } from "../../images/images.ts";
import type { IndexEntry } from "../../images/manifest/manifest.ts";

/** An OCI descriptor of an image's manifest, or of an index. */
export function descriptorShape({ mediaType, digest, size, annotations }: IndexEntry) {
  return { mediaType, digest, size, ...(annotations !== undefined && { annotations }) };
}

/** The same with its platform, as containers show it. */
export function manifestDescriptor(manifest: ImageManifest) {
  return { ...descriptorShape(manifest), platform: manifest.platform };
}
