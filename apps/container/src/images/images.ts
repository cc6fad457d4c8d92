import type { Readable } from "node:stream";
import type { Filters } from "../engine/filters.ts";
import type { Reference } from "./reference/reference.ts";
import type { NetworkScope } from "./registry/network-scope.ts";

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

export interface Image {
  /** `sha256:` and 64 digits: the digest of the image configuration. */
  readonly id: string;
  /** `busybox:latest`, in Docker's familiar form. */
  readonly repoTags: readonly string[];
  readonly repoDigests: readonly string[];
  /** RFC 3339: when it got the newest of its names; "" where it has none. */
  readonly taggedAt: string;
  /** The id of the image it was committed on top of; "" for none. */
  readonly parent: string;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly architecture: string;
  readonly variant: string;
  readonly os: string;
  readonly author: string;
  readonly comment: string;
  readonly dockerVersion: string;
  /** The id of the container it was committed from, and what that container was made with; "" and absent for none. */
  readonly container: string;
  readonly containerConfig?: Readonly<Record<string, unknown>>;
  /** Bytes, uncompressed layers. */
  readonly size: number;
  readonly config: ImageConfig;
  /** The OCI chain id of all layers; "" where there is none. */
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

/** One line of the JSON stream of pull, push, load and import, as Docker writes it. */
export interface Progress {
  readonly stream?: string;
  readonly status?: string;
  readonly id?: string;
  readonly progress?: string;
  readonly progressDetail?: { readonly current?: number; readonly total?: number };
  readonly aux?: Readonly<Record<string, unknown>>;
  readonly error?: string;
  readonly errorDetail?: { readonly message: string };
}

export interface RegistryAuth {
  readonly username?: string;
  readonly password?: string;
  readonly identitytoken?: string;
  readonly registrytoken?: string;
  readonly serveraddress?: string;
}

/**
 * Images. `ref` is a reference in Docker's familiar form, a digest, an id or a unique id prefix.
 * Failures are EngineErrors: `not-found` is `No such image: REF` with the tag spelled out, as Docker does.
 */
export interface Images {
  /** With a `platform` (`linux/arm64`), an image that would not run there is `not-found` too. */
  get(ref: string, options?: { readonly platform?: string | undefined }): Promise<Image>;
  list(options: { readonly all: boolean; readonly filters: Filters }): Promise<readonly Image[]>;
  tag(ref: string, target: { readonly repo: string; readonly tag: string }): Promise<void>;
  /** `inUse` tells which image ids containers stand on. */
  remove(
    ref: string,
    options: {
      readonly force: boolean;
      readonly prune: boolean;
      readonly inUse: ReadonlyMap<string, { readonly containerId: string; readonly running: boolean }>;
    },
  ): Promise<readonly ({ readonly Untagged: string } | { readonly Deleted: string })[]>;
  prune(options: { readonly filters: Filters; readonly inUse: ReadonlySet<string> }): Promise<{
    readonly deleted: readonly ({ readonly Untagged: string } | { readonly Deleted: string })[];
    readonly spaceReclaimed: number;
  }>;
  /**
   * Fails before the first line where the reference is bad; later faults are a line with `error`. `permit` throws for what may not be
   * pulled, and is asked before the registry is: of a whole repository for its default tag first, and then for each.
   */
  pull(
    reference: { readonly image: string; readonly tag: string | undefined },
    options: {
      readonly auth: RegistryAuth | undefined;
      readonly platform: string | undefined;
      readonly signal: AbortSignal;
      readonly networkScope: NetworkScope;
      readonly permit: (reference: Reference) => void;
    },
  ): Promise<AsyncIterable<Progress>>;
  push(
    reference: { readonly image: string; readonly tag: string | undefined },
    options: { readonly auth: RegistryAuth | undefined; readonly signal: AbortSignal },
  ): Promise<AsyncIterable<Progress>>;
  /** A `docker save` archive or an OCI layout, as tar, gzip or zstd. */
  load(
    archive: Readable,
    options: { readonly quiet: boolean; readonly signal: AbortSignal },
  ): Promise<AsyncIterable<Progress>>;
  save(refs: readonly string[]): Promise<Readable>;
  /** A root file system as tar becomes an image of one layer; answers its id. */
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
  /** A container's writable layer on top of its image becomes a new image; answers its id. */
  commit(
    layer: Readable,
    options: {
      readonly parent: Image;
      readonly container: { readonly id: string; readonly config: Readonly<Record<string, unknown>> };
      /** What containers of the new image start with, before `changes`. */
      readonly config: ImageConfig;
      /** Dockerfile instructions, as `import` takes them. */
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
