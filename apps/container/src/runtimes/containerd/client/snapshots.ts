import { type CallOptions, type Connection, isAlreadyExists, LAYER_TIMEOUT_MS } from "./connection.ts";
import type { Descriptor } from "./images.ts";
import type { Timestamp } from "./protos.ts";

export interface Mount {
  readonly type: string;
  readonly source: string;
  readonly target: string;
  readonly options: readonly string[];
}

export interface SnapshotInfo {
  readonly name: string;
  /** "" at the bottom. */
  readonly parent: string;
  readonly kind: "VIEW" | "ACTIVE" | "COMMITTED" | "UNKNOWN";
  readonly createdAt: Timestamp | null;
  readonly updatedAt: Timestamp | null;
  readonly labels: Readonly<Record<string, string>>;
}

export interface SnapshotOptions extends CallOptions {
  readonly labels?: Readonly<Record<string, string>>;
}

/** The layers, unpacked: committed ones by chain id, active ones by a key of the caller's. */
export interface SnapshotService {
  /** The snapshotter that all calls here go to. */
  readonly snapshotter: string;
  stat(key: string): Promise<SnapshotInfo>;
  /** containerd's filters: any one of them has to match, e.g. `parent==sha256:…`. */
  list(filters?: readonly string[]): Promise<readonly SnapshotInfo[]>;
  /** A writable snapshot on `parent` ("" for none). `conflict` where the key is there already (see `isAlreadyExists`). */
  prepare(key: string, parent: string, options?: SnapshotOptions): Promise<readonly Mount[]>;
  /** A read-only one. */
  view(key: string, parent: string, options?: SnapshotOptions): Promise<readonly Mount[]>;
  mounts(key: string): Promise<readonly Mount[]>;
  /** Makes the active snapshot `key` the committed one `name`; one that is there already by that name is success, and `key` is removed. */
  commit(name: string, key: string, options?: SnapshotOptions): Promise<void>;
  /** `conflict` where other snapshots stand on it. */
  remove(key: string): Promise<void>;
  /** Sets the named labels and leaves the others; an empty value removes its label. */
  updateLabels(key: string, labels: Readonly<Record<string, string>>): Promise<SnapshotInfo>;
  /** What this snapshot alone takes, its parents not counted; bytes. */
  usage(key: string): Promise<{ readonly size: number; readonly inodes: number }>;
}

const SERVICE = "snapshots.v1.Snapshots";

export function snapshotService(connection: Connection, snapshotter: string): SnapshotService {
  const mountsFrom = async (method: string, request: object, options?: CallOptions): Promise<readonly Mount[]> =>
    (await connection.unary<{ mounts: Mount[] }>(SERVICE, method, { snapshotter, ...request }, options)).mounts;

  const remove = async (key: string): Promise<void> => {
    await connection.unary(SERVICE, "Remove", { snapshotter, key });
  };

  return {
    snapshotter,
    stat: async (key) => (await connection.unary<{ info: SnapshotInfo }>(SERVICE, "Stat", { snapshotter, key })).info,
    list: async (filters = []) => {
      const found: SnapshotInfo[] = [];
      const request = { snapshotter, filters };
      for await (const page of connection.stream<{ info: SnapshotInfo[] }>(SERVICE, "List", request)) {
        found.push(...page.info);
      }
      return found;
    },
    prepare: (key, parent, { labels = {}, ...options } = {}) => mountsFrom("Prepare", { key, parent, labels }, options),
    view: (key, parent, { labels = {}, ...options } = {}) => mountsFrom("View", { key, parent, labels }, options),
    mounts: (key) => mountsFrom("Mounts", { key }),
    commit: async (name, key, { labels = {}, ...options } = {}) => {
      try {
        await connection.unary(
          SERVICE,
          "Commit",
          { snapshotter, name, key, labels },
          { timeoutMs: LAYER_TIMEOUT_MS, ...options },
        );
      } catch (thrown) {
        if (!isAlreadyExists(thrown)) throw thrown;
        await remove(key);
      }
    },
    remove,
    updateLabels: async (key, labels) => {
      const paths = Object.keys(labels).map((label) => `labels.${label}`);
      const request = { snapshotter, info: { name: key, labels }, updateMask: { paths } };
      return (await connection.unary<{ info: SnapshotInfo }>(SERVICE, "Update", request)).info;
    },
    usage: (key) => connection.unary(SERVICE, "Usage", { snapshotter, key }, { timeoutMs: LAYER_TIMEOUT_MS }),
  };
}

/** Layers to snapshots and back. */
export interface DiffService {
  /** Unpacks a layer blob (tar, gzip or zstd by its media type) into the mounts; answers the digest of the uncompressed tar. */
  apply(layer: Descriptor, mounts: readonly Mount[], options?: CallOptions): Promise<Descriptor>;
  /** The difference from `left` to `right` as a new blob. */
  create(
    left: readonly Mount[],
    right: readonly Mount[],
    options: CallOptions & {
      readonly mediaType: string;
      /** The ingest key. */
      readonly ref?: string;
      readonly labels?: Readonly<Record<string, string>>;
    },
  ): Promise<Descriptor>;
}

const DIFF = "diff.v1.Diff";

export function diffService(connection: Connection): DiffService {
  return {
    apply: async (layer, mounts, options) => {
      const long = { timeoutMs: LAYER_TIMEOUT_MS, ...options };
      return (await connection.unary<{ applied: Descriptor }>(DIFF, "Apply", { diff: layer, mounts }, long)).applied;
    },
    create: async (left, right, { mediaType, ref = "", labels = {}, ...options }) => {
      const request = { left, right, mediaType, ref, labels };
      return (
        await connection.unary<{ diff: Descriptor }>(DIFF, "Diff", request, { timeoutMs: LAYER_TIMEOUT_MS, ...options })
      ).diff;
    },
  };
}
