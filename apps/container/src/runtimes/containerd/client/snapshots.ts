import { type CallOptions, type Connection, isAlreadyExists, LAYER_TIMEOUT_MS, present } from "./connection.ts";
import type { ResponseOf } from "./protos.ts";

const SERVICE = "snapshots.v1.Snapshots";

export type Mount = ResponseOf<typeof SERVICE, "Mounts">["mounts"][number];

/** Its `parent` is "" at the bottom. */
export type SnapshotInfo = NonNullable<ResponseOf<typeof SERVICE, "Stat">["info"]>;

export interface SnapshotOptions extends CallOptions {
  readonly labels?: Readonly<Record<string, string>>;
}

/** The layers, unpacked: committed ones by chain id, active ones by a key of the caller's. */
export class SnapshotService {
  readonly #connection: Connection;
  /** The snapshotter that all calls here go to. */
  readonly snapshotter: string;

  constructor(connection: Connection, snapshotter: string) {
    this.#connection = connection;
    this.snapshotter = snapshotter;
  }

  async stat(key: string): Promise<SnapshotInfo> {
    return present((await this.#connection.unary(SERVICE, "Stat", this.#of(key))).info, "the snapshot");
  }

  /** @param filters containerd's: any one of them has to match, e.g. `parent==sha256:…` */
  async list(filters: readonly string[] = []): Promise<readonly SnapshotInfo[]> {
    const found: SnapshotInfo[] = [];
    const pages = this.#connection.stream(SERVICE, "List", { snapshotter: this.snapshotter, filters });
    for await (const { info } of pages) found.push(...info);
    return found;
  }

  /** A writable snapshot on `parent` ("" for none). `conflict` if the key exists (see `isAlreadyExists`). */
  async prepare(key: string, parent: string, { labels = {}, ...options }: SnapshotOptions = {}) {
    return (await this.#connection.unary(SERVICE, "Prepare", { ...this.#of(key), parent, labels }, options)).mounts;
  }

  /** A read-only one. */
  async view(key: string, parent: string, { labels = {}, ...options }: SnapshotOptions = {}) {
    return (await this.#connection.unary(SERVICE, "View", { ...this.#of(key), parent, labels }, options)).mounts;
  }

  /** Sets these labels of a snapshot and leaves its others. */
  async updateLabels(name: string, labels: Readonly<Record<string, string>>): Promise<void> {
    const { snapshotter } = this;
    const paths = Object.keys(labels).map((label) => `labels.${label}`);
    await this.#connection.unary(SERVICE, "Update", { snapshotter, info: { name, labels }, updateMask: { paths } });
  }

  async mounts(key: string): Promise<readonly Mount[]> {
    return (await this.#connection.unary(SERVICE, "Mounts", this.#of(key))).mounts;
  }

  /** Makes the active snapshot `key` the committed one `name`; an existing one of that name is success, and `key` is removed. */
  async commit(name: string, key: string, { labels = {}, ...options }: SnapshotOptions = {}): Promise<void> {
    const request = { ...this.#of(key), name, labels };
    try {
      await this.#connection.unary(SERVICE, "Commit", request, { timeoutMs: LAYER_TIMEOUT_MS, ...options });
    } catch (thrown) {
      if (!isAlreadyExists(thrown)) throw thrown;
      await this.remove(key);
    }
  }

  /** `conflict` if it is the parent of others. */
  async remove(key: string): Promise<void> {
    await this.#connection.unary(SERVICE, "Remove", this.#of(key));
  }

  /** What this snapshot alone takes, its parents not counted; bytes. */
  usage(key: string): Promise<{ readonly size: number; readonly inodes: number }> {
    return this.#connection.unary(SERVICE, "Usage", this.#of(key), { timeoutMs: LAYER_TIMEOUT_MS });
  }

  #of(key: string) {
    return { snapshotter: this.snapshotter, key };
  }
}
