import { findImage, imageOf } from "./catalogue.ts";
import type { ImageContext } from "./context.ts";
import type { ManifestSummary } from "./images.ts";
import { parseDocument } from "./manifest/manifest.ts";

/** The manifests of the image with this id, and how much the store keeps of them. Throws `not-found`. */
export async function manifestsOf(
  { library: { catalogue }, store }: Pick<ImageContext, "library" | "store">,
  id: string,
): Promise<readonly ManifestSummary[]> {
  const { manifest, size } = imageOf(findImage(catalogue, id), []);
  const document = parseDocument(await store.readAll(manifest.digest));
  const parts =
    document.ok && document.value.kind === "manifest"
      ? [document.value.manifest.config, ...document.value.manifest.layers]
      : [];
  const contentSize = parts.reduce((sum, part) => sum + part.size, manifest.size);
  return [{ manifest, contentSize, unpackedSize: size }];
}
