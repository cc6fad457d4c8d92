import type { Readable } from "node:stream";
import { EngineError } from "../../engine/errors.ts";

/** A container's root file system, and what of the host is to be seen in it. */
export interface RootView {
  /** As `Runtime.withRootfs` gives it; good for that call alone. */
  readonly root: string;
  /** In the order in which they have to be mounted. */
  readonly mounts: readonly {
    /** With no link on the way: where there is one now, it came after the path was resolved and is refused. */
    readonly source: string;
    readonly target: string;
    readonly readonly: boolean;
    /** Left out where the host has no such file. */
    readonly optional?: boolean;
  }[];
  /** `guarded` makes the root read-only and leaves to each mount what it is. */
  readonly access: "ro" | "rw" | "guarded";
}

/** The process whose root the view was has ended before anything was read or written: the view is void, the container is not. */
export class RootEnded extends EngineError {
  constructor(message: string) {
    super("unavailable", message);
  }
}

export interface FileFacts {
  /** As stat(2) has it: type and permission bits. */
  readonly mode: number;
  /** Bytes. */
  readonly size: number;
  /** RFC 3339, nanoseconds. */
  readonly modifiedAt: string;
  /** Where a symbolic link leads in the end, inside the root; "" for anything else. */
  readonly linkTarget: string;
}

export interface OpenArchive {
  readonly facts: FileFacts;
  /** A tar; destroying it ends the reading. */
  readonly archive: Readable;
  /** Settles, and never fails, when nothing reads the view any more. */
  readonly ended: Promise<void>;
}

export interface WriteOptions {
  readonly keepKinds: boolean;
  readonly devices: "refused" | "made";
  /** Who gets the files; undefined leaves it to the archive. */
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
}

/**
 * What touches a container's files. Paths are absolute, and nothing in the view leads out of it, not even while a process of the
 * container changes it. Failures are EngineErrors: `not-found`, `invalid`, `forbidden` where it is read-only;
 * see also RootEnded.
 */
export interface ArchiveFiles {
  stat(view: RootView, path: string): Promise<FileFacts>;
  /** A tar of the path whose entries start with `name`, a folder's with `name/`. */
  read(view: RootView, path: string, name: string): Promise<OpenArchive>;
  /** A tar of all that is in the root. */
  export(view: RootView): Promise<OpenArchive>;
  /** Which of the paths are there, links not followed. */
  existing(view: RootView, paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** Unpacks a tar, compressed or not, into the folder `path`. */
  write(view: RootView, path: string, archive: Readable, options: WriteOptions): Promise<void>;
}
