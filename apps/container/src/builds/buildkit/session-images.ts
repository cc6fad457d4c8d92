import type { Actor } from "../../engine/actor.ts";
import { type StoredImage, visibleCatalogue } from "../../images/catalogue.ts";
import { assertImageAllowed, imageViewer } from "../../policy/images.ts";
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

/** The store as the actor's builds see it, with the client's credentials for registries. */
export function sessionImages(
  context: Pick<WorkContext, "images" | "imageContext" | "storageOf">,
  actor: Actor,
  { authFor, signal, accept }: Pick<BaseImagesOptions, "authFor" | "signal"> & Pick<SessionOptions, "accept">,
): SessionImages {
  const { images, imageContext } = context;
  const request: { pull: "always" | "missing"; platform: string } = { pull: "missing", platform: "" };
  const bases = new BaseImages({
    images,
    context: imageContext,
    actor,
    request,
    authFor,
    signal,
    report: async () => undefined,
  });
  const viewer = imageViewer(actor);
  return {
    want: ({ "image-resolve-mode": mode, platform = "" }) => {
      if (mode === "pull") request.pull = "always";
      request.platform = platform;
    },
    doorOptions: {
      images: imageContext,
      signal,
      resolve: bases.resolve.bind(bases),
      visible: () => visibleCatalogue(imageContext.library.catalogue, viewer),
      own: (image) =>
        viewer && { owner: viewer.owner, sources: bases.sources({ fromScratch: isFromScratch(image, bases.used) }) },
      accept: async (image, repository) => {
        if (isFromScratch(image, bases.used)) assertImageAllowed(actor, SCRATCH, "scratch");
        assertResultFits(context, actor, image);
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
