import type { ArchiveFiles } from "../containers/archive/files.ts";
import type { KeyedLock } from "../engine/concurrency/keyed-lock.ts";
import type { HostDefaults } from "../engine/host-defaults.ts";
import type { Log } from "../engine/log.ts";
import type { ImageContext } from "../images/context.ts";
import type { Images } from "../images/images.ts";
import type { DecidedContainer } from "../policy/facts.ts";
import type { HeldQuotas } from "../policy/held-quotas.ts";
import type { HeldRights } from "../policy/held-rights.ts";
import type { Builder, BuildFolders } from "./builder.ts";
import type { BuildRequest } from "./builds.ts";
import type { CacheSizes } from "./cache-sizes.ts";
import type { Door } from "./door/door.ts";
import type { NetworkSources } from "./network.ts";
import type { BuildQueue } from "./queue.ts";
import type { BuildStore } from "./store.ts";

/** What the work of builds depends on. */
export interface WorkContext {
  readonly builder: Builder;
  readonly door: Door;
  readonly images: Pick<Images, "pull">;
  readonly imageContext: ImageContext;
  readonly sources: NetworkSources;
  readonly files: Pick<ArchiveFiles, "write">;
  readonly host: HostDefaults;
  /** All containers. */
  readonly containers: () => readonly (DecidedContainer & { readonly owner: string | undefined })[];
  /** Bytes that the owner has on the disk, its images and build cache included. */
  readonly storageOf: (owner: string) => number;
  readonly caches: CacheSizes;
  /** Bytes of disk that a folder takes. */
  readonly measure: (folder: string) => Promise<number>;
  /** Serialises additions to an owner's resources. */
  readonly owners: KeyedLock<string>;
  readonly held: HeldQuotas;
  readonly queue: BuildQueue;
  readonly store: BuildStore;
  readonly log: Log;
}

/** One build, with what it was given so far. */
export interface Build {
  readonly id: string;
  /** Whose build it is, and what it was allowed. */
  readonly rights: HeldRights;
  readonly request: BuildRequest;
  readonly folders: BuildFolders;
  readonly owner: string;
  readonly signal: AbortSignal;
}
