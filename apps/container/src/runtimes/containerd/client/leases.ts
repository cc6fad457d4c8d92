import { randomBytes } from "node:crypto";
import { isEngineError } from "../../../engine/errors.ts";
import { type Connection, LAYER_TIMEOUT_MS } from "./connection.ts";
import type { Timestamp } from "./protos.ts";

export interface Lease {
  readonly id: string;
  readonly createdAt: Timestamp | null;
  readonly labels: Readonly<Record<string, string>>;
}

/** Leases keep content and snapshots from the garbage collector while nothing else refers to them yet. */
export interface LeaseService {
  create(options?: { readonly id?: string; readonly labels?: Readonly<Record<string, string>> }): Promise<Lease>;
  /** Idempotent. `gc: "wait"` answers when what only this lease held is gone. */
  delete(id: string, options?: { readonly gc?: "wait" | "later" }): Promise<void>;
  list(filters?: readonly string[]): Promise<readonly Lease[]>;
  /** One that `sweep` deletes, should the service die before it does. */
  createForCall(): Promise<Lease>;
  /** Deletes the leases of calls that were cut off. */
  sweep(): Promise<void>;
  /** `type` is `content` or `snapshots/<snapshotter>`. */
  addResource(id: string, resource: { readonly id: string; readonly type: string }): Promise<void>;
}

/** The label of a lease that lasts as long as one call: what a crash leaves of them is deleted at the next start. */
const CALL_LABEL = "berth.call";

const SERVICE = "leases.v1.Leases";
/** A lease that a crash left behind expires. */
const LIFETIME_MS = 24 * 60 * 60 * 1000;

export function leaseService(connection: Connection): LeaseService {
  const create: LeaseService["create"] = async ({
    id = `berth-${randomBytes(12).toString("hex")}`,
    labels = {},
  } = {}) => {
    const expire = new Date(Date.now() + LIFETIME_MS).toISOString();
    const request = { id, labels: { "containerd.io/gc.expire": expire, ...labels } };
    return (await connection.unary<{ lease: Lease }>(SERVICE, "Create", request)).lease;
  };

  const remove: LeaseService["delete"] = async (id, { gc = "later" } = {}) => {
    try {
      await connection.unary(SERVICE, "Delete", { id, sync: gc === "wait" }, { timeoutMs: LAYER_TIMEOUT_MS });
    } catch (thrown) {
      if (!isEngineError(thrown, "not-found")) throw thrown;
    }
  };

  const list: LeaseService["list"] = async (filters = []) =>
    (await connection.unary<{ leases: Lease[] }>(SERVICE, "List", { filters })).leases;

  return {
    create,
    createForCall: () => create({ labels: { [CALL_LABEL]: "under-way" } }),
    delete: remove,
    list,
    sweep: async () => {
      for (const { id } of await list([`labels."${CALL_LABEL}"`])) await remove(id);
    },
    addResource: async (id, resource) => {
      await connection.unary(SERVICE, "AddResource", { id, resource });
    },
  };
}
