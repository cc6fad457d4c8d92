import type { Readable } from "node:stream";
import type { Actor } from "../../engine/actor.ts";
import type { ContainerConfig } from "../records/config.ts";

/** One file of a container, as `docker cp` asks for it before it copies. */
export interface PathStat {
  /** The last part of the path. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Go's `os.FileMode`: permission bits, with its own bits for directory (31), symlink (27), device (26), …. */
  readonly mode: number;
  /** RFC 3339. */
  readonly modifiedAt: string;
  /** Where a symlink points, resolved inside the container; "" for anything else. */
  readonly linkTarget: string;
}

/** A difference between a container's file system and its image. */
export interface Change {
  readonly path: string;
  readonly kind: "modified" | "added" | "deleted";
}

export interface CommitRequest {
  readonly repo: string;
  readonly tag: string;
  readonly author: string;
  readonly comment: string;
  /** Freezes the container while its layer is read. */
  readonly pause: boolean;
  /** Dockerfile instructions. */
  readonly changes: readonly string[];
  /** What the request's body sets over the container's own configuration. */
  readonly config: Partial<ContainerConfig>;
}

/**
 * A container's files, whether it runs or not. Paths are the container's: links resolve inside it, `..` stops at its root.
 * Failures are EngineErrors: `not-found` is `Could not find the file PATH in container REF`.
 */
export interface Archives {
  stat(actor: Actor, ref: string, path: string): Promise<PathStat>;
  /** A tar of the path; its root entry is named as the path ends (`etc/`, or `./` for `/etc/.`). */
  read(actor: Actor, ref: string, path: string): Promise<{ readonly stat: PathStat; readonly archive: Readable }>;
  /** Unpacks a tar (plain, gzip, bzip2, xz or zstd) into the directory `path`; a bad archive is `invalid` and leaves what came before it. */
  write(
    actor: Actor,
    ref: string,
    path: string,
    archive: Readable,
    options: {
      /** Refuse to put a directory over a file and the other way round. */
      readonly keepKinds: boolean;
      /** Give the files to the container's user where it names one, as `docker cp -a` does; else they are whose the archive says. */
      readonly copyOwners: boolean;
    },
  ): Promise<void>;
  changes(actor: Actor, ref: string): Promise<readonly Change[]>;
  /** The whole file system as a tar. */
  export(actor: Actor, ref: string): Promise<Readable>;
  /** Answers the new image's id. */
  commit(actor: Actor, ref: string, request: CommitRequest): Promise<string>;
}
