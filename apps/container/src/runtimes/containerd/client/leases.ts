import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { isEngineError } from "../../../engine/errors.ts";
import { type Connection, LAYER_TIMEOUT_MS, present } from "./connection.ts";
import type { ResponseOf } from "./protos.ts";

const SERVICE = "leases.v1.Leases";

export type Lease = NonNullable<ResponseOf<typeof SERVICE, "Create">["lease"]>;

/** The label of a lease for one call. After a crash, the next start deletes such leases. */
const CALL_LABEL = "berth.call";

/** A lease that a crash left behind expires. */
const LIFETIME_MS = 24 * 60 * 60 * 1000;

/** How soon the release of a lease is tried again. */
const RELEASE_AGAIN_MS = 1_000;

/** Leases keep content and snapshots from the garbage collector while nothing else refers to them yet. */
export class LeaseService {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async create({
    id = `berth-${randomBytes(12).toString("hex")}`,
    labels = {},
  }: {
    readonly id?: string;
    readonly labels?: Readonly<Record<string, string>>;
  } = {}): Promise<Lease> {
    const expire = new Date(Date.now() + LIFETIME_MS).toISOString();
    const request = { id, labels: { "containerd.io/gc.expire": expire, ...labels } };
    try {
      return present((await this.#connection.unary(SERVICE, "Create", request)).lease, "the lease");
    } catch (thrown) {
      // Where containerd ended meanwhile, nobody knows whether it is there.
      if (isEngineError(thrown, "unavailable")) void this.release(id);
      throw thrown;
    }
  }

  /** One that `sweep` deletes, should the service die before it does. */
  createForCall(): Promise<Lease> {
    return this.create({ labels: { [CALL_LABEL]: "under-way" } });
  }

  /** Idempotent. `gc: "wait"` answers when what only this lease held is gone. */
  async delete(id: string, { gc = "later" }: { readonly gc?: "wait" | "later" } = {}): Promise<void> {
    try {
      await this.#connection.unary(SERVICE, "Delete", { id, sync: gc === "wait" }, { timeoutMs: LAYER_TIMEOUT_MS });
    } catch (thrown) {
      if (!isEngineError(thrown, "not-found")) throw thrown;
    }
  }

  /**
   * Deletes the lease of a call that is over. Where containerd is away, that goes on in the background: until then the lease holds what
   * nothing refers to. Never rejects.
   */
  async release(id: string): Promise<void> {
    if (!(await this.#deletes(id))) void this.#releaseLater(id);
  }

  async #releaseLater(id: string): Promise<void> {
    while (!this.#connection.isClosed) {
      await delay(RELEASE_AGAIN_MS, undefined, { ref: false });
      if (await this.#deletes(id)) return;
    }
  }

  #deletes(id: string): Promise<boolean> {
    return this.delete(id).then(
      () => true,
      () => false,
    );
  }

  async list(filters: readonly string[] = []): Promise<readonly Lease[]> {
    return (await this.#connection.unary(SERVICE, "List", { filters })).leases;
  }

  /** Deletes the leases of calls that were cut off. */
  async sweep(): Promise<void> {
    for (const { id } of await this.list([`labels."${CALL_LABEL}"`])) await this.delete(id);
  }

  /** @param resource its `type` is `content` or `snapshots/<snapshotter>` */
  async addResource(id: string, resource: { readonly id: string; readonly type: string }): Promise<void> {
    await this.#connection.unary(SERVICE, "AddResource", { id, resource });
  }
}
