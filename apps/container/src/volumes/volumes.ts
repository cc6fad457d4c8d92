import type { Filters } from "../engine/filters.ts";

export interface Volume {
  readonly name: string;
  readonly driver: "local";
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

/** Named directories of the `local` driver. Failures are EngineErrors with Docker's status and message. */
export interface Volumes {
  get(name: string): Volume;
  find(name: string): Volume | undefined;
  /** The path on the host of a volume of this name, whether it exists or not. */
  mountpoint(name: string): string;
  list(filters: Filters, inUse: ReadonlySet<string>): readonly Volume[];
  /** Returns the existing volume where the name is taken. */
  create(request: CreateVolumeRequest): Promise<Volume>;
  /** Mounts what the volume's options name, unless it is mounted: mounts do not survive a reboot. Throws `failed` with the reason. */
  ready(name: string): Promise<void>;
  remove(name: string, options: { readonly force: boolean; readonly inUse: ReadonlySet<string> }): Promise<void>;
  prune(
    filters: Filters,
    inUse: ReadonlySet<string>,
    options: { readonly anonymousOnly: boolean },
  ): Promise<{ readonly deleted: readonly string[]; readonly spaceReclaimed: number }>;
  /** Bytes. */
  size(name: string): Promise<number>;
}
