import type { Connection } from "./connection.ts";
import { present } from "./connection.ts";
import type { RequestOf, ResponseOf } from "./protos.ts";

const SERVICE = "containers.v1.Containers";

export type ContainerRecord = NonNullable<ResponseOf<typeof SERVICE, "Get">["container"]>;
export type NewContainer = NonNullable<RequestOf<typeof SERVICE, "Create">["container"]>;

/** containerd's records of containers: metadata only, nothing runs by them. */
export class ContainerService {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async get(id: string): Promise<ContainerRecord> {
    return present((await this.#connection.unary(SERVICE, "Get", { id })).container, "the container");
  }

  /** @param filters containerd's: any one of them has to match, e.g. `labels."berth.id"` */
  async list(filters: readonly string[] = []): Promise<readonly ContainerRecord[]> {
    return (await this.#connection.unary(SERVICE, "List", { filters })).containers;
  }

  async create(container: NewContainer): Promise<void> {
    await this.#connection.unary(SERVICE, "Create", { container });
  }

  /** Replaces the named fields (`spec`, `labels`, `runtime`, …). */
  async update(container: NewContainer, paths: readonly string[]): Promise<void> {
    await this.#connection.unary(SERVICE, "Update", { container, updateMask: { paths } });
  }

  async delete(id: string): Promise<void> {
    await this.#connection.unary(SERVICE, "Delete", { id });
  }
}
