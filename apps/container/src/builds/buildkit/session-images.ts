import { type StoredImage, visibleCatalogue } from "../../images/catalogue.ts";
import type { Platform } from "../../images/manifest/manifest.ts";
import { formatPlatform } from "../../images/manifest/platform.ts";
import type { HeldRights } from "../../policy/held-rights.ts";
import { assertImageAllowed, imageNamer, imageViewer } from "../../policy/images.ts";
import { BaseImages, type BaseImagesOptions, SCRATCH } from "../base-images.ts";
import type { DoorTarget } from "../door/names.ts";
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
      resolve: (target) => resolveEach(bases, target, { wished: request.platform, own: imageContext.platform }),
      visible: () => visibleCatalogue(imageContext.library.catalogue, imageViewer(rights.actor)),
      own: (image) => {
        const namer = imageNamer(rights.actor);
        return namer && { ...namer, sources: bases.sources({ fromScratch: isFromScratch(image, bases.used) }) };
      },
      accept: async (result, repository) => {
        const { images } = result;
        if (images.some((image) => isFromScratch(image, bases.used)))
          assertImageAllowed(rights.actor, SCRATCH, "scratch");
        assertResultFits(context, rights.actor, images);
        await accept(result, repository);
      },
    },
  };
}

/**
 * The image for the host's platform, or what can be had for each that a build for others may want: its own, and first the host's, whose
 * steps `FROM --platform=$BUILDPLATFORM` runs. Throws why there is none.
 */
async function resolveEach(
  bases: BaseImages,
  target: DoorTarget,
  { wished, own }: { readonly wished: string; readonly own: Platform },
): Promise<StoredImage | readonly StoredImage[]> {
  const hosts = formatPlatform(own);
  const others = wished.split(",").filter((platform) => platform !== "" && platform !== hosts);
  if (others.length === 0 || target.kind === "id") return bases.resolve(target, wished === "" ? "" : hosts);
  const found = new Map<string, StoredImage>();
  let fault: unknown;
  for (const platform of [hosts, ...others]) {
    const image = await bases.resolve(target, platform).catch((thrown: unknown) => {
      fault = thrown;
    });
    if (image !== undefined) found.set(image.id, image);
  }
  if (found.size === 0) throw fault;
  return [...found.values()];
}

/** Whether the image is built upon none of these. */
function isFromScratch({ chainIds }: Pick<StoredImage, "chainIds">, used: readonly StoredImage[]): boolean {
  const there = new Set(chainIds);
  return !used.some((base) => {
    const top = base.chainIds.at(-1);
    return top !== undefined && there.has(top);
  });
}
