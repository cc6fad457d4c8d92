import type { ContainerId } from "../../engine/ids.ts";

/** What owners take of the disk, and whether it has room. */
export interface Storage {
  /** Bytes of the owner's layers, logs, volumes, images and build cache as last measured; what was removed since no longer counts. */
  of(owner: string): number;
  /** Has the owner measured in the next round, because a request wrote for it. */
  wrote(owner: string): void;
  /** Throws `full` while the disk is down to its reserve. */
  assertRoom(): Promise<void>;
}

/** Also measures. */
export interface StorageMeasure extends Storage {
  /** The owners whose use may have changed since the last round: they wrote through a request, or have a running container. */
  changing(): readonly string[];
  /** Measures all that the owner has. Returns its running containers whose layer, log or volumes grew since the last measure. */
  measure(owner: string): Promise<readonly ContainerId[]>;
}
