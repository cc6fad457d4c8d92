import type { KeyedLock } from "../engine/keyed-lock.ts";
import type { EventSink } from "../events/events.ts";
import type { DiskQuota } from "./disk-quota.ts";
import type { Library } from "./library.ts";
import type { Platform } from "./manifest/manifest.ts";
import type { Registry } from "./registry/registry.ts";
import type { ImageStore } from "./store.ts";

/** What the image use cases work with. */
export interface ImageContext {
  readonly store: ImageStore;
  readonly library: Library;
  readonly registry: Registry;
  readonly events: EventSink;
  /** What images are chosen for where a client does not say. */
  readonly platform: Platform;
  /** How many layers of one image are on the wire at once. */
  readonly concurrency: number;
  /** By chain id: one unpacking of a layer at a time, however many images have it. */
  readonly unpacking: KeyedLock<string>;
  /** By digest: one transfer of a blob at a time. */
  readonly downloading: KeyedLock<string>;
  readonly quota: DiskQuota;
  readonly now: () => Date;
}

/** Tells of something that happened to an image, with its labels and `name`, as Docker's events do. */
export function tell({ library, events }: ImageContext, action: string, id: string, name: string): void {
  const labels = library.catalogue.images.get(id)?.configuration.config?.Labels ?? {};
  events.emit({ type: "image", action, actor: { id, attributes: { ...labels, name } }, owner: undefined });
}

/** The first twelve digits of an id or a digest. */
export function shortId(digest: string): string {
  return digest.replace("sha256:", "").slice(0, 12);
}
