import type { Readable } from "node:stream";
import { EngineError } from "../../engine/errors.ts";

/** A container's root file system and the host paths mounted into it. */
export interface RootView {
  /** Valid only during the `Runtime.withRootfs` call that returned it. */
  readonly root: string;
  /** In mount order. */
  readonly mounts: readonly {
    /** Contains no symlink. One that appears later was swapped in, so the mount is refused. */
    readonly source: string;
    /** The part of the source that is mounted; its links must not lead out of the source. Absent for all of it. */
    readonly subpath?: string;
    readonly target: string;
    readonly readonly: boolean;
    /** Skip the mount if the source does not exist. */
    readonly optional?: boolean;
  }[];
  /** Aborts when a removal or a start waits for the view, which ends what touches its files. */
  readonly evicted?: AbortSignal | undefined;
  /** `guarded` makes the root read-only and leaves each mount's own mode. */
  readonly access: "ro" | "rw" | "guarded";
}

/** The process that owned the root ended before anything was read or written. The container is unaffected; open a new view. */
export class RootEnded extends EngineError {
  constructor(message: string) {
    super("unavailable", message);
  }
}

export interface FileFacts {
  /** stat(2) mode: type and permission bits. */
  readonly mode: number;
  /** Bytes. */
  readonly size: number;
  /** RFC 3339, nanoseconds. */
  readonly modifiedAt: string;
  /** Final target of a symbolic link inside the root; "" for other files. */
  readonly linkTarget: string;
}

export interface OpenArchive {
  readonly facts: FileFacts;
  /** A tar stream; destroy it to stop reading. */
  readonly archive: Readable;
  /** Settles when nothing reads the view any more; never rejects. */
  readonly ended: Promise<void>;
}

export interface WriteOptions {
  readonly keepKinds: boolean;
  readonly devices: "refused" | "made";
  /** The most bytes that the owner of the container may write yet. */
  readonly left: number;
  /** New owner of the files; undefined keeps the archive's owner. */
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
}

/**
 * Access to the files of a container. Paths are absolute and never resolve outside the view, even if a process of the container changes
 * it at the same time. Throws EngineError: `not-found`, `invalid`, `forbidden` for read-only paths, and RootEnded.
 */
export interface ArchiveFiles {
  stat(view: RootView, path: string): Promise<FileFacts>;
  /** Reads the path as a tar with `name` as its root entry (`name/` for a directory). */
  read(view: RootView, path: string, name: string): Promise<OpenArchive>;
  /** Reads the whole root as a tar. */
  export(view: RootView): Promise<OpenArchive>;
  /** Returns the paths that exist, without following links. */
  existing(view: RootView, paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** Unpacks a tar, compressed or not, into the directory `path`. */
  write(view: RootView, path: string, archive: Readable, options: WriteOptions): Promise<void>;
}
