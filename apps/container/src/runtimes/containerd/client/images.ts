import { type Connection, LAYER_TIMEOUT_MS } from "./connection.ts";
import type { Timestamp } from "./protos.ts";

/** What a digest is: OCI's descriptor. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  /** Bytes. */
  readonly size: number;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface ImageRecord {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly target: Descriptor;
  readonly createdAt: Timestamp | null;
  readonly updatedAt: Timestamp | null;
}

export type NewImage = Pick<ImageRecord, "name" | "target"> & Partial<Pick<ImageRecord, "labels">>;

/** The names that hold content: an image record is a root of the garbage collection. */
export interface ImageService {
  get(name: string): Promise<ImageRecord>;
  /** containerd's filters: any one of them has to match, e.g. `name~="^docker.io/"` or `target.digest==sha256:…`. */
  list(filters?: readonly string[]): Promise<readonly ImageRecord[]>;
  /** `conflict` where the name is there already (see `isAlreadyExists`). */
  create(image: NewImage): Promise<ImageRecord>;
  /** Replaces labels and target of the name; `not-found` where it is not there. */
  update(image: NewImage): Promise<ImageRecord>;
  /** `gc: "wait"` answers when what only this name held is gone. */
  delete(name: string, options?: { readonly gc?: "wait" | "later" }): Promise<void>;
}

const SERVICE = "images.v1.Images";

export function imageService(connection: Connection): ImageService {
  return {
    get: async (name) => (await connection.unary<{ image: ImageRecord }>(SERVICE, "Get", { name })).image,
    list: async (filters = []) =>
      (await connection.unary<{ images: readonly ImageRecord[] }>(SERVICE, "List", { filters })).images,
    create: async (image) => (await connection.unary<{ image: ImageRecord }>(SERVICE, "Create", { image })).image,
    update: async (image) => (await connection.unary<{ image: ImageRecord }>(SERVICE, "Update", { image })).image,
    delete: async (name, { gc = "later" } = {}) => {
      await connection.unary(SERVICE, "Delete", { name, sync: gc === "wait" }, { timeoutMs: LAYER_TIMEOUT_MS });
    },
  };
}
