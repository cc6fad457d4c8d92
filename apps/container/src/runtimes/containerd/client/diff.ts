import { type CallOptions, type Connection, LAYER_TIMEOUT_MS, present } from "./connection.ts";
import type { RequestOf, ResponseOf } from "./protos.ts";
import type { Mount } from "./snapshots.ts";

const SERVICE = "diff.v1.Diff";

/** What a digest is: OCI's descriptor. */
export type Descriptor = NonNullable<ResponseOf<typeof SERVICE, "Apply">["applied"]>;

/** Layers to snapshots and back. */
export class DiffService {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Unpacks a layer blob (tar, gzip or zstd by its media type) into the mounts; answers the digest of the uncompressed tar. */
  async apply(
    diff: NonNullable<RequestOf<typeof SERVICE, "Apply">["diff"]>,
    mounts: readonly Mount[],
    options?: CallOptions,
  ): Promise<Descriptor> {
    const long = { timeoutMs: LAYER_TIMEOUT_MS, ...options };
    return present((await this.#connection.unary(SERVICE, "Apply", { diff, mounts }, long)).applied, "the layer");
  }

  /**
   * The difference from `left` to `right` as a new blob.
   * @param options `ref` is the ingest key
   */
  async create(
    left: readonly Mount[],
    right: readonly Mount[],
    {
      mediaType,
      ref = "",
      labels = {},
      ...options
    }: CallOptions & {
      readonly mediaType: string;
      readonly ref?: string;
      readonly labels?: Readonly<Record<string, string>>;
    },
  ): Promise<Descriptor> {
    const long = { timeoutMs: LAYER_TIMEOUT_MS, ...options };
    const request = { left, right, mediaType, ref, labels };
    return present((await this.#connection.unary(SERVICE, "Diff", request, long)).diff, "the layer");
  }
}
