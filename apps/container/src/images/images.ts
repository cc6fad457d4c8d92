import type { Readable } from "node:stream";
import type { Filters } from "../engine/filters.ts";
import type { ImageIndex, IndexMember } from "./manifest/image-index.ts";
import type { IndexEntry, Platform } from "./manifest/manifest.ts";
import type { Reference } from "./reference/reference.ts";
import type { NetworkScope } from "./registry/network-scope.ts";
import type { Sources } from "./store.ts";

/** The `config` of an OCI image configuration, in Docker's spelling. */
export interface ImageConfig {
  readonly User?: string;
  readonly ExposedPorts?: Readonly<Record<string, Record<string, never>>>;
  readonly Env?: readonly string[];
  readonly Entrypoint?: readonly string[] | null;
  readonly Cmd?: readonly string[] | null;
  readonly Volumes?: Readonly<Record<string, Record<string, never>>>;
  readonly WorkingDir?: string;
  readonly Labels?: Readonly<Record<string, string>>;
  readonly StopSignal?: string;
  readonly Healthcheck?: Readonly<Record<string, unknown>>;
  readonly Shell?: readonly string[];
  readonly OnBuild?: readonly string[] | null;
}

/** The descriptor of an image's manifest, and its platform. */
export interface ImageManifest {
  readonly mediaType: string;
  readonly digest: string;
  /** Bytes. */
  readonly size: number;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly platform: { readonly architecture: string; readonly os: string; readonly variant?: string };
}

export interface Image {
  /** `sha256:` and 64 digits: the digest of the image configuration. */
  readonly id: string;
  readonly manifest: ImageManifest;
  /** The index that its name means, unless it was asked for by platform; absent where the name means this one image. */
  readonly index?: ImageIndex | undefined;
  /** What that index says of the image, which was asked for by platform; absent for all else. */
  readonly entry?: IndexEntry | undefined;
  /** `busybox:latest`, in Docker's familiar form. */
  readonly repoTags: readonly string[];
  readonly repoDigests: readonly string[];
  /** RFC 3339: when it got its newest name; "" if it has none. */
  readonly taggedAt: string;
  /** The id of the image it was committed on; "" for none. */
  readonly parent: string;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly architecture: string;
  readonly variant: string;
  readonly os: string;
  readonly author: string;
  readonly comment: string;
  readonly dockerVersion: string;
  /** The id and configuration of the container it was committed from; "" and absent for none. */
  readonly container: string;
  readonly containerConfig?: Readonly<Record<string, unknown>>;
  /** Bytes, uncompressed layers; in a list those for all platforms. */
  readonly size: number;
  /** Bytes of each layer, bottom first, in the order of `diffIds`. */
  readonly layerSizes: readonly number[];
  readonly config: ImageConfig;
  /** The OCI chain id of all layers; "" for none. */
  readonly layers: string;
  readonly diffIds: readonly string[];
  readonly history: readonly {
    readonly created: string;
    readonly createdBy: string;
    readonly comment: string;
    readonly emptyLayer: boolean;
    readonly size: number;
  }[];
}

/** One manifest of an image, with what the store has of it. */
export interface ManifestSummary {
  readonly descriptor: IndexEntry;
  readonly kind: IndexMember["kind"];
  /** Whether the store has it. */
  readonly available: boolean;
  /** Of an image. */
  readonly platform?: Platform | undefined;
  /** Of an image that is here. */
  readonly imageId?: string | undefined;
  /** Of an attestation: the digest of the manifest that it is about. */
  readonly attests?: string | undefined;
  /** Bytes of its manifest, configuration and layers, as the store keeps them. */
  readonly contentSize: number;
  /** Bytes of its unpacked layers. */
  readonly unpackedSize: number;
}

/** Where an image comes from, as far as decisions on it read. */
export interface ImageOrigin {
  /** Its id and everyone's full names of it (`docker.io/library/busybox:latest`). */
  readonly references: readonly string[];
  /** For a user's own image what it was built from. */
  readonly builtFrom: Sources | undefined;
}

/** A user who looks at images: it sees everyone's and its own, and of those what it accepts; all without `accepts`. */
export interface ImageViewer {
  readonly owner: string;
  readonly accepts?: (image: ImageOrigin) => boolean;
}

/** Whether a name that means another image moves to the new one, or the operation is refused. */
export type HeldNames = "move" | "keep";

/** One line of the JSON stream of pull, push, load and import, as Docker writes it. */
export interface Progress {
  readonly stream?: string;
  readonly status?: string;
  readonly id?: string;
  readonly progress?: string;
  readonly progressDetail?: { readonly current?: number; readonly total?: number };
  readonly aux?: Readonly<Record<string, unknown>>;
  readonly error?: string;
  readonly errorDetail?: { readonly message: string; readonly code?: number };
}

export interface RegistryAuth {
  readonly username?: string;
  readonly password?: string;
  readonly identitytoken?: string;
  readonly registrytoken?: string;
  readonly serveraddress?: string;
}

/** A layer as an uncompressed tar (OCI). */
export interface LayerTar {
  readonly digest: string;
  /** Bytes. */
  readonly size: number;
  /** Not read by a store that has the digest. Destroying it lets go of the layer. */
  readonly bytes: Readable;
}

/**
 * The image use cases. `ref` is a reference in Docker's familiar form, a digest, an id or a unique id prefix.
 * Throws EngineError; `not-found` is `No such image: REF` with the tag spelled out, as in Docker.
 */
export interface Images {
  /** With a `platform` (`linux/arm64`), an image for another platform is `not-found`, too. */
  get(
    ref: string,
    options?: { readonly platform?: string | undefined; readonly viewer?: ImageViewer | undefined },
  ): Promise<Image>;
  /** Where an image comes from, for the owner of a container of it. Throws `not-found`. */
  origin(id: string, owner: string | undefined): ImageOrigin;
  list(options: {
    readonly all: boolean;
    readonly filters: Filters;
    readonly viewer?: ImageViewer | undefined;
  }): Promise<readonly Image[]>;
  /** The manifests of an image: its own, or all that its index names. */
  manifests(image: Pick<Image, "id" | "index">): Promise<readonly ManifestSummary[]>;
  /** Gives everyone's name to an image; for a viewer its own name. */
  tag(
    ref: string,
    target: { readonly repo: string; readonly tag: string; readonly viewer?: ImageViewer | undefined },
  ): Promise<void>;
  /** `inUse` returns the image ids that containers use. */
  remove(
    ref: string,
    options: {
      readonly force: boolean;
      readonly prune: boolean;
      readonly inUse: ReadonlyMap<string, { readonly containerId: string; readonly running: boolean }>;
      /** Removes the image for these platforms alone. */
      readonly platforms?: readonly string[];
      /** Removes what is the viewer's own. Throws `forbidden` for what is everyone's. */
      readonly viewer?: ImageViewer | undefined;
    },
  ): Promise<readonly ({ readonly Untagged: string } | { readonly Deleted: string })[]>;
  /** With an `owner`, removes of that user's own images. */
  prune(options: {
    readonly filters: Filters;
    readonly inUse: ReadonlySet<string>;
    readonly owner?: string | undefined;
  }): Promise<{
    readonly deleted: readonly ({ readonly Untagged: string } | { readonly Deleted: string })[];
    readonly spaceReclaimed: number;
  }>;
  /**
   * Throws for an invalid reference before the first line; later errors are a line with `error`. `permit` throws for references that
   * must not be pulled and runs before any request: for a whole repository first with its default tag, then with each tag. With
   * `heldNames: "keep"` a name never moves to another image, and a name means what the host's platform gets for it.
   */
  pull(
    reference: { readonly image: string; readonly tag: string | undefined },
    options: {
      readonly auth: RegistryAuth | undefined;
      readonly platform: string | undefined;
      readonly signal: AbortSignal;
      readonly networkScope: NetworkScope;
      readonly heldNames: HeldNames;
      readonly permit: (reference: Reference) => void;
    },
  ): Promise<AsyncIterable<Progress>>;
  push(
    reference: { readonly image: string; readonly tag: string | undefined },
    options: {
      readonly auth: RegistryAuth | undefined;
      /** Pushes the image for this platform alone. */
      readonly platform?: string | undefined;
      /** Pushes this user's own image by its own name; everyone's image without one. */
      readonly owner?: string | undefined;
      readonly networkScope: NetworkScope;
      readonly signal: AbortSignal;
    },
  ): Promise<AsyncIterable<Progress>>;
  /** Loads a `docker save` archive or an OCI layout in a tar, plain or compressed with gzip or zstd. */
  load(
    archive: Readable,
    options: { readonly quiet: boolean; readonly platform?: string | undefined; readonly signal: AbortSignal },
  ): Promise<AsyncIterable<Progress>>;
  /** With a `platform`, an image for another one is `not-found`. */
  save(
    refs: readonly string[],
    options?: { readonly viewer?: ImageViewer | undefined; readonly platform?: string | undefined },
  ): Promise<Readable>;
  /** Creates a one-layer image from a root file system in a tar. Returns its id. */
  import(
    archive: Readable,
    options: {
      readonly repo: string;
      readonly tag: string;
      readonly message: string;
      readonly changes: readonly string[];
      readonly platform: string | undefined;
      readonly signal: AbortSignal;
    },
  ): Promise<string>;
  /** Creates an image from a container's writable layer on top of its image. Returns its id. */
  commit(
    layer: LayerTar,
    options: {
      readonly parent: Image;
      readonly container: { readonly id: string; readonly config: Readonly<Record<string, unknown>> };
      /** The configuration of containers of the new image, before `changes`. */
      readonly config: ImageConfig;
      /** Dockerfile instructions, as in `import`. */
      readonly changes: readonly string[];
      readonly repo: string;
      readonly tag: string;
      readonly author: string;
      readonly comment: string;
      readonly createdBy: string;
    },
  ): Promise<string>;
  checkAuth(
    auth: RegistryAuth,
    options: { readonly networkScope: NetworkScope },
  ): Promise<{ readonly Status: string; readonly IdentityToken: string }>;
  distribution(
    ref: string,
    options: { readonly auth: RegistryAuth | undefined; readonly networkScope: NetworkScope },
  ): Promise<Readonly<Record<string, unknown>>>;
}
