import type { ContainerId } from "../../engine/ids.ts";

export interface FileContents {
  readonly hosts: string;
  readonly hostname: string;
  readonly resolvConf: string;
}

export interface FilePaths {
  readonly hosts: string;
  readonly hostname: string;
  readonly resolvConf: string;
}

/** Files of the host that those of containers are made from. */
export interface HostFiles {
  readonly hosts: string;
  /** The host's own, which containers on its network get. */
  readonly resolvConf: string;
  /** The one that every other container gets its name servers from. */
  readonly sandboxResolvConf: string;
}

/** The generated files of each container on the host (hosts, hostname, resolv.conf). */
export interface ContainerFiles {
  readonly paths: (id: ContainerId) => FilePaths;
  /** The same without symbolic links. */
  realPaths(id: ContainerId): Promise<FilePaths>;
  write(id: ContainerId, contents: FileContents): Promise<void>;
  /** Rewrites the current content, which the container's processes may have changed. Leaves oversized files alone. */
  change(id: ContainerId, change: (contents: FileContents) => FileContents): Promise<void>;
  /** Idempotent. */
  remove(id: ContainerId): Promise<void>;
  /** Reads the host's files now. */
  readHost(): Promise<HostFiles>;
  /** Whether the path exists on the host; creates it as a directory if requested. */
  bindSource(path: string, options: { readonly make: boolean }): Promise<"there" | "absent">;
  /** Resolves every symbolic link in the path. Resolves the existing part of a path that does not exist. */
  realPath(path: string): Promise<string>;
  /** Makes the folder at the container's `path` below `root`, unless it exists. Throws `invalid` if it is a file. */
  makeFolder(root: string, path: string): Promise<void>;
  /**
   * Copies the image's content at `path` below `root` into an empty volume, or into an empty part of one. Never follows links out of
   * `root`, nor out of the volume. Does nothing where the part is missing; throws `invalid` where it is no folder of the volume, and
   * `failed` where the copy fails, as it does when others change the volume meanwhile.
   */
  populate(root: string, path: string, place: { readonly volume: string; readonly subpath?: string }): Promise<void>;
}
