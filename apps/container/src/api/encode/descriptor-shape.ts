import type { ImageManifest } from "../../images/images.ts";

/** An OCI descriptor of an image's manifest. */
export function descriptorShape({ mediaType, digest, size, annotations }: ImageManifest) {
  return { mediaType, digest, size, ...(annotations !== undefined && { annotations }) };
}

/** The same with its platform, as containers show it. */
export function manifestDescriptor(manifest: ImageManifest) {
  return { ...descriptorShape(manifest), platform: manifest.platform };
}
