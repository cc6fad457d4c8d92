import type { busyboxImage } from "../tools/busybox-image.mjs";

export function loadBusybox(
  engine: string,
  tag: string,
  more?: Omit<NonNullable<Parameters<typeof busyboxImage>[0]>, "tags">,
): Promise<void>;
