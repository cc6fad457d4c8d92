import { type FoundImage, imageIdsOf, originOf } from "./catalogue.ts";
import { type ImageContext, tell } from "./context.ts";
import { formatFamiliar, type Reference } from "./reference/reference.ts";

/**
 * Gives an image or an index everyone's name, taken from its previous image, or an image an owner's own name. An image that an owner
 * names is its own from then on, and stays when everyone's last name of it goes. An owner's name means an index where all images of that
 * are the owner's.
 */
export async function nameImage(
  context: ImageContext,
  reference: Reference,
  { image: { id: imageId }, index }: FoundImage,
  owner: string | undefined,
): Promise<void> {
  const { library } = context;
  if (owner === undefined) await library.name(reference, imageId, { index: index?.descriptor });
  else {
    const { references, builtFrom } = originOf(library.catalogue, imageId, owner);
    await library.own(owner, imageId, builtFrom ?? [references]);
    const own = library.catalogue.own.get(owner)?.sources;
    const isOwn = index !== undefined && imageIdsOf({ imageId, index }).every((id) => own?.has(id));
    await library.nameOwn(owner, reference, imageId, isOwn ? index.descriptor : undefined);
  }
  tell(context, "tag", { id: imageId, name: formatFamiliar(reference), owner });
}
