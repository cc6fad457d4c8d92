import type { KeyedLock } from "../engine/concurrency/keyed-lock.ts";
import type { EventSink } from "../events/events.ts";
import type { DiskQuota } from "./disk-quota.ts";
import type { Library } from "./library.ts";
import type { Platform } from "./manifest/manifest.ts";
import type { Registry } from "./registry/registry.ts";
import type { ImageStore } from "./store.ts";

/** What the image use cases depend on. */
export interface ImageContext {
  readonly store: ImageStore;
  readonly library: Library;
  readonly registry: Registry;
  readonly events: EventSink;
  /** The default platform. */
  readonly platform: Platform;
  /** How many layers of one image to transfer concurrently. */
  readonly concurrency: number;
  /** Serialises unpacking per layer, by chain id, across images. */
  readonly unpacking: KeyedLock<string>;
  /** Serialises transfers per blob, by digest. */
  readonly downloading: KeyedLock<string>;
  readonly quota: DiskQuota;
  readonly now: () => Date;
}

/** Emits an image event with the image's labels and `name`, as Docker does. With an `owner` nobody else hears of it. */
export function tell(
  { library, events }: ImageContext,
  action: string,
  { id, name, owner }: { readonly id: string; readonly name: string; readonly owner?: string | undefined },
): void {
  const labels = library.catalogue.images.get(id)?.configuration.config?.Labels ?? {};
  events.emit({ type: "image", action, actor: { id, attributes: { ...labels, name } }, owner });
}

/** The first twelve digits of an id or digest. */
export function shortId(digest: string): string {
  return digest.replace("sha256:", "").slice(0, 12);
}
