import { randomBytes } from "node:crypto";
import { isEngineError } from "../../../engine/errors.ts";
import type { Connection } from "./connection.ts";
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
  /** `type` is `content` or `snapshots/<snapshotter>`. */
  addResource(id: string, resource: { readonly id: string; readonly type: string }): Promise<void>;
}

const SERVICE = "leases.v1.Leases";
/** A lease that a crash of ours left behind ends by itself. */
const LIFETIME_MS = 24 * 60 * 60 * 1000;

export function leaseService(connection: Connection): LeaseService {
  return {
    create: async ({ id = `berth-${randomBytes(12).toString("hex")}`, labels = {} } = {}) => {
      const expire = new Date(Date.now() + LIFETIME_MS).toISOString();
      const request = { id, labels: { "containerd.io/gc.expire": expire, ...labels } };
      return (await connection.unary<{ lease: Lease }>(SERVICE, "Create", request)).lease;
    },
    delete: async (id, { gc = "later" } = {}) => {
      try {
        await connection.unary(SERVICE, "Delete", { id, sync: gc === "wait" });
      } catch (thrown) {
        if (!isEngineError(thrown, "not-found")) throw thrown;
      }
    },
    list: async (filters = []) => (await connection.unary<{ leases: Lease[] }>(SERVICE, "List", { filters })).leases,
    addResource: async (id, resource) => {
      await connection.unary(SERVICE, "AddResource", { id, resource });
    },
  };
}
