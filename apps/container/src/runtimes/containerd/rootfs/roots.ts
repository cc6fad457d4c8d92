import { randomBytes } from "node:crypto";
import type { LayerPath } from "../../../containers/records/runtime.ts";
import type { KeyedLock } from "../../../engine/concurrency/keyed-lock.ts";
import { EngineError, isEngineError } from "../../../engine/errors.ts";
import type { ContainerId } from "../../../engine/ids.ts";
import { diskUsage } from "../../../host/content-size.ts";
import type { Containerd } from "../client/client.ts";
import { type OciUser, resolveUser } from "../spec/user.ts";
import { withImages } from "./container-snapshots.ts";
import { ownDiskUsage, ownPaths, ownSize, readUserFiles, withMounted } from "./rootfs.ts";

export interface RootsOptions {
  readonly containerd: Containerd;
  /** Where mounts are made that last no longer than a call. */
  readonly mounts: string;
  /** Held by whatever makes a task or removes its root file system. */
  readonly serial: KeyedLock<ContainerId>;
  /** The running task; `unavailable` where it does not answer. */
  runningTask(id: ContainerId): Promise<{ readonly pid: number } | undefined>;
}

/** What is done with a root, until `evicted` aborts, and with the images that are mounted in it. */
export type UseRoot<T> = (path: string, evicted: AbortSignal, images: readonly string[]) => Promise<T>;

/** The path of a running process's root: what it sees, its volumes too. */
export function rootOf(pid: number): string {
  return `/proc/${pid}/root`;
}

/** The root file systems of containers, running or not. */
export class Roots {
  readonly #options: RootsOptions;
  readonly #open = new Map<ContainerId, Set<AbortController>>();
  readonly #sizes = new Map<ContainerId, Promise<number>>();

  constructor(options: RootsOptions) {
    this.#options = options;
  }

  /** A user of the running container, see `resolveUser`; `not-found` where none runs. */
  async userOf(id: ContainerId, user: string, additionalGroups: readonly string[] = []): Promise<OciUser> {
    const task = await this.#options.runningTask(id);
    if (task === undefined) throw new EngineError("not-found", `container ${id} has no running process`);
    return resolveUser(user, additionalGroups, await readUserFiles(rootOf(task.pid)));
  }

  /** Bytes of the writable layer's own files; whoever asks while they are counted gets the same answer. */
  size(id: ContainerId): Promise<number> {
    const counting =
      this.#sizes.get(id) ??
      this.#options.containerd.snapshots
        .mounts(id)
        .then(ownSize)
        .finally(() => this.#sizes.delete(id));
    this.#sizes.set(id, counting);
    return counting;
  }

  /** What the writable layer has of its own. */
  async changedPaths(id: ContainerId): Promise<readonly LayerPath[]> {
    return await ownPaths(await this.#options.containerd.snapshots.mounts(id));
  }

  /** Bytes of disk that the writable layer takes, and the log in its folder, which the first start makes. */
  async diskUsage(id: ContainerId, logFolder: string): Promise<number> {
    const log = diskUsage(logFolder).catch((thrown: unknown) => {
      if (!isEngineError(thrown, "not-found")) throw thrown;
      return 0;
    });
    const layer = ownDiskUsage(await this.#options.containerd.snapshots.mounts(id));
    return (await layer) + (await log);
  }

  /** Runs `use` on what the running process sees, or on a mount of the snapshot; and on the first `images` that it mounts. */
  async withRoot<T>(id: ContainerId, use: UseRoot<T>, images = 0): Promise<T> {
    const { containerd, mounts } = this.#options;
    const leaving = new AbortController();
    const open = this.#open.get(id) ?? new Set();
    this.#open.set(id, open.add(leaving));
    try {
      return await this.#withRoot(id, (path) =>
        withImages(containerd, { id, images, mounts }, (places) => use(path, leaving.signal, places)),
      );
    } finally {
      open.delete(leaving);
      if (open.size === 0) this.#open.delete(id);
    }
  }

  /** Tells every use of the container's root to end: a removal or a start waits for it. */
  evict(id: ContainerId): void {
    for (const leaving of this.#open.get(id) ?? []) leaving.abort();
  }

  async #withRoot<T>(id: ContainerId, use: (path: string) => Promise<T>): Promise<T> {
    const { containerd, mounts, serial, runningTask } = this.#options;
    const task = await runningTask(id);
    if (task !== undefined) return await use(rootOf(task.pid));
    // Two mounts of one writable layer confuse overlayfs: a start waits until this one is gone.
    return await serial.hold(id, async () => {
      const started = await runningTask(id);
      if (started !== undefined) return await use(rootOf(started.pid));
      return await withMounted(await containerd.snapshots.mounts(id), mounts, use);
    });
  }

  /** Runs `use` on a read-only mount of the layers below the container's own. */
  withBase<T>(id: ContainerId, use: (path: string) => Promise<T>): Promise<T> {
    return this.#options.containerd.withLease(async ({ snapshots }) => {
      const key = `layers-${randomBytes(6).toString("hex")}`;
      const { parent } = await snapshots.stat(id);
      return await withMounted(await snapshots.view(key, parent), this.#options.mounts, use);
    });
  }
}
