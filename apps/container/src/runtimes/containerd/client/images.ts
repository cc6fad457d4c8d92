import { type Connection, LAYER_TIMEOUT_MS, present } from "./connection.ts";
import type { RequestOf, ResponseOf } from "./protos.ts";

const SERVICE = "images.v1.Images";

/** An image's name, labels and target. */
export type ImageRecord = NonNullable<ResponseOf<typeof SERVICE, "Get">["image"]>;
export type NewImage = NonNullable<RequestOf<typeof SERVICE, "Create">["image"]>;

/** The names that hold content: an image record is a root of the garbage collection. */
export class ImageService {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async get(name: string): Promise<ImageRecord> {
    return present((await this.#connection.unary(SERVICE, "Get", { name })).image, "the image");
  }

  /** @param filters containerd's: any one of them has to match, e.g. `name~="^docker.io/"` or `target.digest==sha256:…` */
  async list(filters: readonly string[] = []): Promise<readonly ImageRecord[]> {
    return (await this.#connection.unary(SERVICE, "List", { filters })).images;
  }

  /** `conflict` if the name exists (see `isAlreadyExists`). */
  async create(image: NewImage): Promise<ImageRecord> {
    return present((await this.#connection.unary(SERVICE, "Create", { image })).image, "the image");
  }

  /** Replaces labels and target of the name; `not-found` if it does not exist. */
  async update(image: NewImage): Promise<ImageRecord> {
    return present((await this.#connection.unary(SERVICE, "Update", { image })).image, "the image");
  }

  /** `gc: "wait"` answers when what only this name held is gone. */
  async delete(name: string, { gc = "later" }: { readonly gc?: "wait" | "later" } = {}): Promise<void> {
    await this.#connection.unary(SERVICE, "Delete", { name, sync: gc === "wait" }, { timeoutMs: LAYER_TIMEOUT_MS });
  }
}
