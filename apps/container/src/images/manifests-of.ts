import { imageOf } from "./catalogue.ts";
import type { ImageContext } from "./context.ts";
import type { Image, ManifestSummary } from "./images.ts";
import { attestedBy, type IndexMember, imageIdOf, memberOf } from "./manifest/image-index.ts";

/** The manifests of an image, or of all that its index names, and how much the store keeps of each. */
export async function manifestsOf(
  { library: { catalogue }, store }: Pick<ImageContext, "library" | "store">,
  { id, index }: Pick<Image, "id" | "index">,
): Promise<readonly ManifestSummary[]> {
  const unpackedSizeOf = (imageId: string | undefined): number => {
    const image = catalogue.images.get(imageId ?? "");
    return image === undefined ? 0 : imageOf({ image }, []).size;
  };
  if (index !== undefined)
    return index.members.map((member) => summaryOf(member, unpackedSizeOf(imageIdOf(member)), member.entry.platform));
  const image = catalogue.images.get(id);
  if (image === undefined) return [];
  const member = memberOf(image.manifest, await store.readAll(image.manifest.digest));
  return [summaryOf(member, unpackedSizeOf(id), imageOf({ image }, []).manifest.platform)];
}

function summaryOf(member: IndexMember, unpackedSize: number, platform: ManifestSummary["platform"]): ManifestSummary {
  const { entry, kind, parts } = member;
  const own = parts === undefined ? [] : [entry, parts.config, ...parts.layers];
  return {
    descriptor: entry,
    kind,
    available: parts !== undefined,
    contentSize: own.reduce((sum, { size }) => sum + size, 0),
    unpackedSize,
    ...(kind === "image" && { platform, imageId: imageIdOf(member) }),
    ...(kind === "attestation" && { attests: attestedBy(entry) }),
  };
}
