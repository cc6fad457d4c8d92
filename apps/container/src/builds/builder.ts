import type { BuildRequest, CacheEntry } from "./builds.ts";
import type { RemoteContext } from "./context/remote-url.ts";
import type { Step } from "./dockerfile/plan.ts";

/** How a builder reaches the door, and proves which build it is. */
export interface DoorAccess {
  readonly username: string;
  readonly password: string;
}

/** The network of a build, as its steps see it. */
export interface BuildNetwork {
  /** The namespace's file; undefined for the host's own. */
  readonly path: string | undefined;
  readonly resolvConf: string;
  /** `host:address` for `/etc/hosts`. */
  readonly hosts: readonly string[];
}

/** What the whole build may use, with the steps; undefined for no limit. */
export interface BuildLimits {
  /** Bytes. */
  readonly memory: number | undefined;
  readonly cpus: number | undefined;
  readonly pids: number | undefined;
}

/** The folders of one build. */
export interface BuildFolders {
  /** Holds all that the owner's builds have. */
  readonly owner: string;
  /** The owner's cache, which the builder keeps. */
  readonly cache: string;
  /** This build's own, removed with it. */
  readonly work: string;
  readonly context: string;
}

/** What it takes to fetch a context. */
export interface FetchJob {
  readonly id: string;
  /** Whose place bounds it, if it is one's. */
  readonly owner: string;
  readonly folders: BuildFolders;
  readonly network: BuildNetwork;
  readonly limits: BuildLimits;
  readonly signal: AbortSignal;
  /** Where it goes. */
  readonly folder: string;
}

export interface BuilderJob {
  readonly id: string;
  /** Whose place bounds it, if it is one's. */
  readonly owner: string;
  readonly request: BuildRequest;
  readonly steps: readonly Step[];
  /** The Dockerfile as the builder reads it. */
  readonly dockerfile: string;
  readonly cache: "use" | "ignore";
  readonly folders: BuildFolders;
  readonly network: BuildNetwork;
  readonly limits: BuildLimits;
  readonly door: DoorAccess;
  readonly signal: AbortSignal;
}

/** A step, or the builder, failed for a reason of the build's own. */
export interface BuildFailure {
  readonly message: string;
  /** The exit code of the command that failed. */
  readonly code?: number;
}

export type BuildOutcome =
  | {
      readonly kind: "built";
      readonly image: string;
      /** The ids of other stages' images, which are in the cache alone. */
      readonly stages: readonly string[];
    }
  | { readonly kind: "failed"; readonly failure: BuildFailure };

/** A program that builds images from Dockerfiles, as a process of its own for each build. */
export interface Builder {
  /** What to install where the host has no builder; undefined where it has one. */
  missing(): Promise<string | undefined>;
  /** Builds; `show` takes each line of output in Docker's words, and its promise slows the builder down to its reader. */
  build(job: BuilderJob, show: (line: string) => Promise<void>): Promise<BuildOutcome>;
  /** Fetches a remote context into `folder`, over the build's network. Throws EngineError. */
  fetch(job: FetchJob, remote: RemoteContext): Promise<void>;
  /** Puts the image into the door, as the job's result. */
  push(job: BuilderJob, image: string): Promise<void>;
  /** Ends what is left of a build, whoever started it. Idempotent. */
  clear(id: string, owner: string, folders: BuildFolders): Promise<void>;
  /** Removes entries of a cache that no build uses. */
  evict(folders: BuildFolders, ids: ReadonlySet<string>): Promise<void>;
  /** What a cache holds; empty for a folder that is none. */
  entries(cache: string): Promise<readonly CacheEntry[]>;
}

/** What a client is told where the host has no builder. */
export const NO_BUILDER =
  "this host has no builder: an administrator installs one with `apt-get install buildah`, for clients with DOCKER_BUILDKIT=0; or build with `docker buildx create --use --driver docker-container`, if you may run privileged containers";
