import type { Filters } from "../engine/filters.ts";
import type { Viewer } from "../engine/owners.ts";

export interface Volume {
  readonly name: string;
  readonly driver: "local";
  /** Its directory below the volumes' folder: the name, or `OWNER@NAME`. */
  readonly folder: string;
  readonly mountpoint: string;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, string>>;
  readonly anonymous: boolean;
  /** The directory's id of the user who created it; undefined where an administrator did. */
  readonly owner: string | undefined;
}

export interface CreateVolumeRequest {
  readonly name: string;
  readonly anonymous: boolean;
  readonly owner: string | undefined;
  readonly driver: string;
  readonly options: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * Named directories of the `local` driver; names are unique per owner, and a volume is identified by its mountpoint. Failures are
 * EngineErrors with Docker's status and message.
 */
export interface Volumes {
  /** The volume that the name means to the viewer; throws `not-found`, and `invalid` where an administrator's name is ambiguous. */
  get(name: string, viewer: Viewer): Volume;
  find(name: string, viewer: Viewer): Volume | undefined;
  /** The volume at that path of the host. */
  at(mountpoint: string): Volume | undefined;
  /** The path of the volume that the name means when the viewer mounts it, whether it exists or not: its own, or one without an owner. */
  mountpoint(name: string, viewer: Viewer): string;
  list(filters: Filters, inUse: ReadonlySet<string>, viewer: Viewer): readonly Volume[];
  /** Returns the owner's existing volume where the name is taken. */
  create(request: CreateVolumeRequest): Promise<Volume>;
  /** Mounts what the volume's options name, unless it is mounted: mounts do not survive a reboot. Throws `failed` with the reason. */
  ready(mountpoint: string): Promise<void>;
  /** @param options.inUse the mountpoints that containers use. */
  remove(volume: Volume, options: { readonly inUse: ReadonlySet<string> }): Promise<void>;
  /** Removes the viewer's unused volumes, an administrator's call everyone's. */
  prune(
    filters: Filters,
    inUse: ReadonlySet<string>,
    options: { readonly anonymousOnly: boolean; readonly viewer: Viewer },
  ): Promise<{ readonly deleted: readonly string[]; readonly spaceReclaimed: number }>;
  /** Bytes. */
  size(volume: Volume): Promise<number>;
  /** Bytes of disk that it takes, at least 4 KiB for each file. */
  diskUsage(volume: Volume): Promise<number>;
}
