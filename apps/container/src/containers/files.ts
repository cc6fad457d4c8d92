import type { ContainerId } from "./container.ts";

/** The three files that every container gets its own copy of, on the host. */
export interface ContainerFiles {
  readonly paths: (id: ContainerId) => {
    readonly hosts: string;
    readonly hostname: string;
    readonly resolvConf: string;
  };
  write(
    id: ContainerId,
    contents: { readonly hosts: string; readonly hostname: string; readonly resolvConf: string },
  ): Promise<void>;
  /** Idempotent. */
  remove(id: ContainerId): Promise<void>;
  /** The host's own, as they are now. */
  readHost(): Promise<{ readonly hosts: string; readonly hostname: string; readonly resolvConf: string }>;
  /** Whether the path exists on the host; makes it a folder where asked to. */
  bindSource(path: string, options: { readonly make: boolean }): Promise<"there" | "absent">;
  /** The path with every symbolic link on the way resolved; as it is where it does not exist. */
  realPath(path: string): Promise<string>;
  /** Copies what the image holds at `path` below `root` into an empty volume, links never followed out of `root`. */
  populate(root: string, path: string, volume: string): Promise<void>;
}
