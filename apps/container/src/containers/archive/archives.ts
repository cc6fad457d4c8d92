import type { Readable } from "node:stream";
import type { Actor } from "../../engine/actor.ts";
import type { ContainerConfig } from "../records/config.ts";

/** The facts of one file, which `docker cp` reads before it copies. */
export interface PathStat {
  /** The last part of the path. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Go's `os.FileMode`: permission bits plus Go's type bits (directory 31, symlink 27, device 26, …). */
  readonly mode: number;
  /** RFC 3339. */
  readonly modifiedAt: string;
  /** Target of a symlink, resolved inside the container; "" for other files. */
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
  /** Pauses the container while its layer is read. */
  readonly pause: boolean;
  /** Dockerfile instructions. */
  readonly changes: readonly string[];
  /** Overrides from the request body, merged over the container's configuration. */
  readonly config: Partial<ContainerConfig>;
}

/**
 * A container's files, whether or not it runs. Paths resolve inside the container: links and `..` never leave its root.
 * Throws EngineError, such as `not-found` with `Could not find the file PATH in container REF`.
 */
export interface Archives {
  stat(actor: Actor, ref: string, path: string): Promise<PathStat>;
  /** Reads the path as a tar. The root entry is named after the end of the path (`etc/`, or `./` for `/etc/.`). */
  read(actor: Actor, ref: string, path: string): Promise<{ readonly stat: PathStat; readonly archive: Readable }>;
  /**
   * Unpacks a tar (plain, gzip, bzip2, xz or zstd) into the directory `path`.
   * A bad archive throws `invalid` and leaves the entries before the fault.
   */
  write(
    actor: Actor,
    ref: string,
    path: string,
    archive: Readable,
    options: {
      /** Refuse to replace a directory with a file or a file with a directory. */
      readonly keepKinds: boolean;
      /** Change the owner to the container's user, if it has one, as `docker cp -a` does; otherwise keep the archive's owner. */
      readonly copyOwners: boolean;
    },
  ): Promise<void>;
  changes(actor: Actor, ref: string): Promise<readonly Change[]>;
  /** Exports the whole file system as a tar. */
  export(actor: Actor, ref: string): Promise<Readable>;
  /** Returns the id of the new image. */
  commit(actor: Actor, ref: string, request: CommitRequest): Promise<string>;
}
