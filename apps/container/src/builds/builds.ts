import type { Readable } from "node:stream";
import type { Actor } from "../engine/actor.ts";
import type { Progress, RegistryAuth } from "../images/images.ts";
import type { EndUnless } from "../policy/held-rights.ts";
import type { BuildArguments } from "./dockerfile/plan.ts";

/** Where the files of a build come from. */
export type ContextSource =
  | { readonly kind: "archive"; readonly archive: Readable }
  /** `remote`: the URL of a Dockerfile or an archive, or a Git repository. */
  | { readonly kind: "remote"; readonly url: string };

/** What `POST /build` asks for, decoded. */
export interface BuildRequest {
  /** The client's name for the build, by which it can be cancelled. */
  readonly buildId: string;
  readonly context: ContextSource;
  /** A path in the context; "" for `Dockerfile`. */
  readonly dockerfile: string;
  /** The names of the result, as they were written. */
  readonly tags: readonly string[];
  readonly args: BuildArguments;
  readonly labels: Readonly<Record<string, string>>;
  readonly target: string;
  readonly cache: "use" | "ignore";
  readonly cacheFrom: readonly string[];
  /** Whether base images are asked for at their registry although the engine has them. */
  readonly pull: "always" | "missing";
  readonly output: "all" | "id";
  /** "" for the host's. */
  readonly platform: string;
  readonly networkMode: string;
  readonly extraHosts: readonly string[];
  readonly resources: BuildResources;
  /** Credentials by registry, from `X-Registry-Config`. */
  readonly auths: Readonly<Record<string, RegistryAuth>>;
}

/** Limits of the steps, in Docker's units; 0 and "" for none. */
export interface BuildResources {
  readonly shmSize: number;
  readonly memory: number;
  readonly memorySwap: number;
  readonly cpuShares: number;
  readonly cpuQuota: number;
  readonly cpuPeriod: number;
  readonly cpusetCpus: string;
  readonly cpusetMems: string;
  readonly ulimits: readonly { readonly Name: string; readonly Soft: number; readonly Hard: number }[];
}

/** A part of a build cache, as `system df` shows it. */
export interface CacheEntry {
  readonly id: string;
  /** The entry that it was built upon; "" for none. */
  readonly parent: string;
  readonly description: string;
  /** Bytes. */
  readonly size: number;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly inUse: boolean;
  /** Whether it is a layer that a base image brought. */
  readonly isBase: boolean;
}

/** What to remove of a cache. */
export interface CachePruning {
  /** Bytes that may stay: the oldest go first. */
  readonly keep: number;
  /** Removes only what is older than this moment: milliseconds since the epoch. */
  readonly before: number;
  readonly matches: (entry: CacheEntry) => boolean;
}

/** What ends a build that somebody waits for. */
export interface BuildWatch {
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal;
  /** Has the build's rights renewed while it runs. */
  readonly endUnless: EndUnless;
}

/** The use cases of builds. Throws EngineError. */
export interface Builds {
  /**
   * Reads the context and the Dockerfile, and throws what is wrong with them; then builds, as the returned stream is read. A failure
   * is its last line. Leaving the stream, `signal`, and the loss of a right that it needs end the build.
   */
  build(actor: Actor, request: BuildRequest, watch: BuildWatch): Promise<AsyncIterable<Progress>>;
  /** Ends the actor's builds of this id. */
  cancel(actor: Actor, buildId: string): void;
  /** Ends every build of the owner, and removes all that its builds have. */
  forget(owner: string): Promise<void>;
  /** The actor's cache; an administrator's call shows everyone's. */
  cache(actor: Actor): Promise<readonly CacheEntry[]>;
  /** Removes of the actor's cache, or for an administrator of each one, what `wish` says; everything without one. */
  prune(
    actor: Actor,
    wish?: CachePruning,
  ): Promise<{ readonly deleted: readonly string[]; readonly spaceReclaimed: number }>;
}
