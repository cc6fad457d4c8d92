import type { ContainerId } from "../../engine/ids.ts";

export interface FileContents {
  readonly hosts: string;
  readonly hostname: string;
  readonly resolvConf: string;
}

/** The three files that every container gets its own copy of, on the host. */
export interface ContainerFiles {
  readonly paths: (id: ContainerId) => {
    readonly hosts: string;
    readonly hostname: string;
    readonly resolvConf: string;
  };
  write(id: ContainerId, contents: FileContents): Promise<void>;
  /** Changes what is in them now, which the container's processes may have written to. Left as they are where that grew absurdly large. */
  change(id: ContainerId, change: (contents: FileContents) => FileContents): Promise<void>;
  /** Idempotent. */
  remove(id: ContainerId): Promise<void>;
  /** The host's own, as they are now. */
  readHost(): Promise<FileContents>;
  /** Whether the path exists on the host; makes it a folder where asked to. */
  bindSource(path: string, options: { readonly make: boolean }): Promise<"there" | "absent">;
  /** The path with every symbolic link on the way resolved; of one that does not exist, as far as it does. */
  realPath(path: string): Promise<string>;
  /** Copies what the image holds at `path` below `root` into an empty volume, links never followed out of `root`. */
  populate(root: string, path: string, volume: string): Promise<void>;
}
