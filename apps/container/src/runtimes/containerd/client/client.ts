import { type CallOptions, type Connection, openConnection } from "./connection.ts";
import { type ContainerService, containerService } from "./containers.ts";
import { type ContentService, contentService } from "./content.ts";
import { type EventService, eventService } from "./events.ts";
import { type ImageService, imageService } from "./images.ts";
import { type LeaseService, leaseService } from "./leases.ts";
import { type DiffService, diffService, type SnapshotService, snapshotService } from "./snapshots.ts";
import { type TaskService, taskService } from "./tasks.ts";

/**
 * containerd over gRPC, in one namespace. Every failure is an EngineError whose cause is gRPC's.
 * It connects on demand and reconnects after the daemon returns: see `Connection`.
 */
export interface Containerd {
  readonly socket: string;
  readonly namespace: string;
  /** The lease that guards what this client makes, if any. */
  readonly lease: string | undefined;
  readonly content: ContentService;
  readonly images: ImageService;
  readonly snapshots: SnapshotService;
  readonly diff: DiffService;
  readonly leases: LeaseService;
  readonly containers: ContainerService;
  readonly tasks: TaskService;
  readonly events: EventService;
  version(options?: CallOptions): Promise<{ readonly version: string; readonly revision: string }>;
  /**
   * Runs `use` with the same client under a new lease: what it writes and prepares stays until `use` has settled,
   * by when something that lasts (an image, a container, a gc label) has to refer to it.
   */
  withLease<T>(use: (leased: Containerd) => Promise<T>): Promise<T>;
  /** The same client under a lease that the caller creates and deletes. */
  leased(lease: string): Containerd;
  close(): void;
}

export interface ContainerdOptions {
  readonly socket: string;
  readonly namespace: string;
  /** Default overlayfs. */
  readonly snapshotter?: string;
}

/** A client of the containerd that listens (or will listen) on `socket`. */
export function openContainerd({ socket, namespace, snapshotter = "overlayfs" }: ContainerdOptions): Containerd {
  return clientOn(openConnection(socket, namespace), snapshotter);
}

function clientOn(connection: Connection, snapshotter: string): Containerd {
  const leases = leaseService(connection);
  const leased = (lease: string) => clientOn(connection.withLease(lease), snapshotter);
  return {
    socket: connection.socket,
    namespace: connection.namespace,
    lease: connection.lease,
    content: contentService(connection),
    images: imageService(connection),
    snapshots: snapshotService(connection, snapshotter),
    diff: diffService(connection),
    leases,
    containers: containerService(connection),
    tasks: taskService(connection),
    events: eventService(connection),
    version: (options) => connection.unary("version.v1.Version", "Version", {}, options),
    withLease: async (use) => {
      const { id } = await leases.createForCall();
      try {
        return await use(leased(id));
      } finally {
        // The lease expires: a failure to delete it must not hide what `use` answered.
        await leases.delete(id).catch(() => {});
      }
    },
    leased,
    close: () => connection.close(),
  };
}
