import { type StoredImage, visibleCatalogue } from "../../images/catalogue.ts";
import type { HeldRights } from "../../policy/held-rights.ts";
import { assertImageAllowed, imageNamer, imageViewer } from "../../policy/images.ts";
import { BaseImages, type BaseImagesOptions, SCRATCH } from "../base-images.ts";
import type { SessionOptions } from "../door/session.ts";
import { assertResultFits } from "../result.ts";
import type { WorkContext } from "../work-context.ts";
import type { OpenSolve } from "./control.ts";

/** What a session's builds see of the store. */
export interface SessionImages {
  /** What the door shows them, and takes from them. */
  readonly doorOptions: SessionOptions;
  readonly want: OpenSolve["want"];
}

/** The store as the builds see it whose rights these are, with the client's credentials for registries. */
export function sessionImages(
  context: Pick<WorkContext, "images" | "imageContext" | "storageOf">,
  rights: HeldRights,
  { authFor, signal, accept }: Pick<BaseImagesOptions, "authFor" | "signal"> & Pick<SessionOptions, "accept">,
): SessionImages {
  const { images, imageContext } = context;
  const request: { pull: "always" | "missing"; platform: string } = { pull: "missing", platform: "" };
  const bases = new BaseImages({
    images,
    context: imageContext,
    rights,
    request,
    authFor,
    signal,
    report: async () => undefined,
  });
  return {
    want: ({ "image-resolve-mode": mode, platform = "" }) => {
      if (mode === "pull") request.pull = "always";
      request.platform = platform;
    },
    doorOptions: {
      images: imageContext,
      signal,
      resolve: bases.resolve.bind(bases),
      visible: () => visibleCatalogue(imageContext.library.catalogue, imageViewer(rights.actor)),
      own: (image) => {
        const namer = imageNamer(rights.actor);
        return namer && { ...namer, sources: bases.sources({ fromScratch: isFromScratch(image, bases.used) }) };
      },
      accept: async (image, repository) => {
        if (isFromScratch(image, bases.used)) assertImageAllowed(rights.actor, SCRATCH, "scratch");
        assertResultFits(context, rights.actor, image);
        await accept(image, repository);
      },
    },
  };
}

/** Whether the image is built upon none of these. */
function isFromScratch({ chainIds }: Pick<StoredImage, "chainIds">, used: readonly StoredImage[]): boolean {
  const there = new Set(chainIds);
  return !used.some((base) => {
    const top = base.chainIds.at(-1);
    return top !== undefined && there.has(top);
  });
}
