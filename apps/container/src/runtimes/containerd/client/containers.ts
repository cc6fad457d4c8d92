import type { Connection } from "./connection.ts";
import type { Any, Timestamp } from "./protos.ts";

export interface ContainerRecord {
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly image: string;
  readonly runtime: { readonly name: string; readonly options: Any | null } | null;
  /** The OCI spec as JSON in an Any. */
  readonly spec: Any | null;
  readonly snapshotter: string;
  readonly snapshotKey: string;
  readonly createdAt: Timestamp | null;
  readonly updatedAt: Timestamp | null;
}

export type NewContainer = Pick<ContainerRecord, "id"> & Partial<Omit<ContainerRecord, "createdAt" | "updatedAt">>;

/** containerd's records of containers: metadata only, nothing runs by them. */
export interface ContainerService {
  get(id: string): Promise<ContainerRecord>;
  /** containerd's filters: any one of them has to match, e.g. `labels."berth.id"`. */
  list(filters?: readonly string[]): Promise<readonly ContainerRecord[]>;
  create(container: NewContainer): Promise<ContainerRecord>;
  /** Replaces the named fields (`spec`, `labels`, `runtime`, …). */
  update(container: NewContainer, fields: readonly string[]): Promise<ContainerRecord>;
  delete(id: string): Promise<void>;
}

const SERVICE = "containers.v1.Containers";

export function containerService(connection: Connection): ContainerService {
  return {
    get: async (id) => (await connection.unary<{ container: ContainerRecord }>(SERVICE, "Get", { id })).container,
    list: async (filters = []) =>
      (await connection.unary<{ containers: ContainerRecord[] }>(SERVICE, "List", { filters })).containers,
    create: async (container) =>
      (await connection.unary<{ container: ContainerRecord }>(SERVICE, "Create", { container })).container,
    update: async (container, paths) => {
      const request = { container, updateMask: { paths } };
      return (await connection.unary<{ container: ContainerRecord }>(SERVICE, "Update", request)).container;
    },
    delete: async (id) => {
      await connection.unary(SERVICE, "Delete", { id });
    },
  };
}
