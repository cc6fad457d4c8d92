import { BlobFiles } from "./blob-files.ts";
import { type CallOptions, Connection } from "./connection.ts";
import { ContainerService } from "./containers.ts";
import { ContentService } from "./content.ts";
import { DiffService } from "./diff.ts";
import { EventService } from "./events.ts";
import { ImageService } from "./images.ts";
import { LeaseService } from "./leases.ts";
import type { Patience } from "./patience.ts";
import { SnapshotService } from "./snapshots.ts";
import { TaskService } from "./tasks.ts";

export interface ContainerdOptions {
  readonly socket: string;
  readonly namespace: string;
  /** Its root folder, if it is known and reached by the same path here. Blobs are then read and written as files. */
  readonly root?: string;
  /** Default overlayfs. */
  readonly snapshotter?: string;
  /** Default: the usual limits. */
  readonly patience?: Patience;
}

/** A client of the containerd that listens (or will listen) on `socket`. */
export function openContainerd(options: ContainerdOptions): Containerd {
  const { socket, namespace, root, snapshotter = "overlayfs", patience } = options;
  const files = root === undefined ? undefined : new BlobFiles(root);
  return new Containerd(Connection.open(socket, namespace, patience), snapshotter, files);
}

/**
 * containerd over gRPC, in one namespace. Every failure is an EngineError whose cause is gRPC's.
 * It connects on demand and reconnects after the daemon returns: see `Connection`.
 */
export class Containerd {
  readonly #connection: Connection;
  readonly #files: BlobFiles | undefined;
  readonly content: ContentService;
  readonly images: ImageService;
  readonly snapshots: SnapshotService;
  readonly diff: DiffService;
  readonly leases: LeaseService;
  readonly containers: ContainerService;
  readonly tasks: TaskService;
  readonly events: EventService;

  constructor(connection: Connection, snapshotter: string, files?: BlobFiles) {
    this.#connection = connection;
    this.#files = files;
    this.content = new ContentService(connection, files);
    this.images = new ImageService(connection);
    this.snapshots = new SnapshotService(connection, snapshotter);
    this.diff = new DiffService(connection);
    this.leases = new LeaseService(connection);
    this.containers = new ContainerService(connection);
    this.tasks = new TaskService(connection);
    this.events = new EventService(connection);
  }

  get socket(): string {
    return this.#connection.socket;
  }

  get namespace(): string {
    return this.#connection.namespace;
  }

  /** How long it may take to answer, and shims and runc behind it. */
  get patience(): Patience {
    return this.#connection.patience;
  }

  /** The lease that guards what this client makes, if any. */
  get lease(): string | undefined {
    return this.#connection.lease;
  }

  version(options?: CallOptions): Promise<{ readonly version: string; readonly revision: string }> {
    return this.#connection.unary("version.v1.Version", "Version", {}, options);
  }

  /**
   * Runs `use` with the same client under a new lease, which protects everything that it writes and prepares until it settles.
   * By then something lasting (an image, a container, a gc label) must refer to it.
   */
  async withLease<T>(use: (leased: Containerd) => Promise<T>): Promise<T> {
    const { id } = await this.leases.createForCall();
    try {
      return await use(this.leased(id));
    } finally {
      await this.leases.release(id);
    }
  }

  /** The same client under a lease that the caller creates and deletes. */
  leased(lease: string): Containerd {
    return new Containerd(this.#connection.withLease(lease), this.snapshots.snapshotter, this.#files);
  }

  close(): void {
    this.#connection.close();
  }
}
