import type { Actor } from "../engine/actor.ts";
import { EngineError, isEngineError } from "../engine/errors.ts";
import { type Catalogue, originOf, type StoredImage, visibleCatalogue } from "../images/catalogue.ts";
import type { ImageContext } from "../images/context.ts";
import { findImage, findTarget, imageFor } from "../images/find-image.ts";
import type { ImageOrigin, Images, Progress, RegistryAuth } from "../images/images.ts";
import { parsePlatform } from "../images/manifest/platform.ts";
import type { Reference } from "../images/reference/reference.ts";
import {
  formatFamiliar,
  formatReference,
  parseImageName,
  referenceMessage,
  withDefaultTag,
} from "../images/reference/reference.ts";
import type { Sources } from "../images/store.ts";
import { namedReference } from "../images/transfer/pull.ts";
import type { HeldRights } from "../policy/held-rights.ts";
import { assertImageAllowed, assertPullAllowed, heldNamesOf, imageViewer, networkScope } from "../policy/images.ts";
import type { BuildRequest } from "./builds.ts";
import type { BuildPlan } from "./dockerfile/plan.ts";
import type { DoorTarget } from "./door/names.ts";

export interface BaseImagesOptions {
  readonly images: Pick<Images, "pull">;
  readonly context: ImageContext;
  /** Whose build it is: each image that was allowed is decided on again while it runs. */
  readonly rights: HeldRights;
  readonly request: Pick<BuildRequest, "pull" | "platform">;
  /** The client's credentials for a registry. */
  readonly authFor: (domain: string) => Promise<RegistryAuth | undefined>;
  readonly signal: AbortSignal;
  readonly report: (line: Progress) => Promise<void>;
}

/** What decisions read of an image that starts from nothing: a constraint names it like any other. */
export const SCRATCH: ImageOrigin = { references: ["docker.io/library/scratch:latest"], builtFrom: undefined };

/** The images that a build starts from and copies from: the engine's own first, then the registries', each decided on by the policy. */
export class BaseImages {
  readonly #options: BaseImagesOptions;
  readonly #pulled = new Map<string, Promise<StoredImage>>();
  readonly #used = new Map<string, StoredImage>();
  /** The decisions that are among the rights already. */
  readonly #decided = new Set<string>();

  constructor(options: BaseImagesOptions) {
    this.#options = options;
  }

  /**
   * What a name in a Dockerfile means. Throws `invalid` for a malformed one, and `forbidden` for one that the actor may not use: before
   * anything runs, and again by {@link resolve} once the image is known.
   */
  target(name: string): DoorTarget {
    const parsed = parseImageName(name);
    if (!parsed.ok)
      throw new EngineError(
        "invalid",
        `failed to parse image name ${JSON.stringify(name)}: ${referenceMessage(parsed.error)}`,
      );
    const own = this.#own(name);
    if (parsed.value.kind === "id") {
      if (own === undefined) throw new EngineError("not-found", `No such image: ${name}`);
      this.#assertAllowed(own, name);
      return { kind: "id", id: own.id };
    }
    const reference = withDefaultTag(namedReference({ image: name, tag: undefined }));
    if (own !== undefined && !this.#isNamed(own, reference)) {
      this.#assertAllowed(own, name);
      return { kind: "id", id: own.id };
    }
    if (own !== undefined) this.#assertAllowed(own, name);
    else {
      const asked = formatReference(reference);
      this.#decide(asked, (actor) => assertPullAllowed(actor, asked));
    }
    return { kind: "reference", reference };
  }

  /** The images that the build used, or what they were built from: where its result comes from. */
  sources({ fromScratch }: Pick<BuildPlan, "fromScratch">): Sources {
    const { rights, context } = this.#options;
    const { actor } = rights;
    const origins = [...this.#used.keys()].map((id) => originOf(context.library.catalogue, id, actor.id));
    const all = origins.flatMap(({ references, builtFrom }) => builtFrom ?? [references]);
    if (fromScratch) all.push(SCRATCH.references);
    return [...new Map(all.map((names) => [names.join(" "), names])).values()];
  }

  /**
   * The image for a platform, "" for the host's, pulled if the engine has none or the request says so. Throws what the policy or the
   * registry says.
   */
  async resolve(target: DoorTarget, platform = this.#options.request.platform): Promise<StoredImage> {
    const image = target.kind === "id" ? this.#ownAllowed(target.id) : await this.#resolveOnce(target, platform);
    this.#used.set(image.id, image);
    return image;
  }

  #resolveOnce(target: DoorTarget & { readonly kind: "reference" }, platform: string): Promise<StoredImage> {
    const name = formatReference(target.reference);
    const key = `${platform} ${name}`;
    const known = this.#pulled.get(key);
    if (known !== undefined) return known;
    const resolved = this.#resolve(target.reference, name, platform);
    this.#pulled.set(key, resolved);
    return resolved;
  }

  /** The images that the build used so far. */
  get used(): readonly StoredImage[] {
    return [...this.#used.values()];
  }

  /** Whether the engine, or for `pull` the registry, has an image by this name that the actor may use as a source of its cache. */
  isSource(name: string): boolean {
    return this.#own(name) !== undefined;
  }

  async #resolve(reference: Reference, name: string, platform: string): Promise<StoredImage> {
    const own = this.#find(this.#catalogue(), name, platform);
    if (own !== undefined && this.#options.request.pull === "missing") {
      this.#assertAllowed(own, formatFamiliar(reference));
      return own;
    }
    const { images, rights, authFor, signal, report } = this.#options;
    const { actor } = rights;
    const image = { image: formatReference({ ...reference }), tag: undefined };
    const lines = await images.pull(image, {
      auth: await authFor(reference.domain),
      platform: platform === "" ? undefined : platform,
      signal,
      networkScope: networkScope(actor),
      heldNames: heldNamesOf(actor),
      permit: (asked) => assertPullAllowed(actor, formatReference(withDefaultTag(asked))),
    });
    for await (const line of lines) {
      if (line.errorDetail !== undefined) throw new EngineError("failed", line.errorDetail.message);
      await report(line);
    }
    // What was pulled has everyone's name, which the actor's own name must not stand for.
    return this.#allowed(this.#find(this.#options.context.library.catalogue, name, platform), name);
  }

  /** What the actor sees of the engine's images. */
  #catalogue(): Catalogue {
    return visibleCatalogue(this.#options.context.library.catalogue, imageViewer(this.#options.rights.actor));
  }

  #own(name: string): StoredImage | undefined {
    return this.#find(this.#catalogue(), name, "");
  }

  /** The image for a platform, "" for any, that a name means. */
  #find(catalogue: Catalogue, name: string, platform: string): StoredImage | undefined {
    try {
      if (platform === "") return findImage(catalogue, name);
      const wished = parsePlatform(platform, this.#options.context.platform);
      return wished.ok ? imageFor(catalogue, findTarget(catalogue, name), wished.value) : undefined;
    } catch (thrown) {
      if (isEngineError(thrown)) return undefined;
      throw thrown;
    }
  }

  #ownAllowed(name: string): StoredImage {
    return this.#allowed(this.#own(name), name);
  }

  #allowed(image: StoredImage | undefined, name: string): StoredImage {
    if (image === undefined) throw new EngineError("not-found", `No such image: ${name}`);
    this.#assertAllowed(image, name);
    return image;
  }

  #assertAllowed(image: StoredImage, name: string): void {
    const { rights, context } = this.#options;
    // As it is now: who renames the image while the build runs takes no right away.
    const origin = originOf(context.library.catalogue, image.id, rights.actor.id);
    this.#decide(JSON.stringify(origin), (actor) => assertImageAllowed(actor, origin, name));
  }

  /** Decides now, and again while the build runs. Throws `forbidden`. */
  #decide(key: string, assert: (actor: Actor) => void): void {
    const { rights } = this.#options;
    if (this.#decided.has(key)) assert(rights.actor);
    else rights.need(assert);
    this.#decided.add(key);
  }

  #isNamed({ id }: StoredImage, reference: Reference): boolean {
    return this.#catalogue().names.get(formatReference(reference))?.imageId === id;
  }
}

/** Docker keys the credentials of Docker Hub by its old index. */
export function authFrom(auths: BuildRequest["auths"], domain: string): RegistryAuth | undefined {
  const key = Object.keys(auths).find((address) => {
    const [host = ""] = address.replace(/^https?:\/\//, "").split("/");
    return (
      host === domain || (domain === "docker.io" && (host === "index.docker.io" || host === "registry-1.docker.io"))
    );
  });
  return key === undefined ? undefined : auths[key];
}
