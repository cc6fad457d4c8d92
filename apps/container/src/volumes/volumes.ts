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
  /** The directory's user id of whoever made it; undefined where an administrator did. */
  readonly owner: string | undefined;
}

/** Named directories of the `local` driver. Failures are EngineErrors with Docker's status and message. */
export interface Volumes {
  get(name: string): Volume;
  find(name: string): Volume | undefined;
  /** Where a volume of this name lies on the host, or would lie. */
  mountpoint(name: string): string;
  list(filters: Filters, inUse: ReadonlySet<string>): readonly Volume[];
  /** Answers the one that is there where the name is taken. */
  create(request: {
    readonly name: string;
    readonly anonymous: boolean;
    readonly owner: string | undefined;
    readonly driver: string;
    readonly options: Readonly<Record<string, string>>;
    readonly labels: Readonly<Record<string, string>>;
  }): Promise<Volume>;
  /**
   * Mounts what the volume's options say, where that is not mounted yet: no mount outlives the host's restart. Throws `failed` with
   * the reason.
   */
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
