import { copyFile, stat, truncate } from "node:fs/promises";

const MOST_BYTES = 16 << 20;

/**
 * Bounds the log of Berth's own containerd, in bytes. containerd keeps the file open in append mode, so a long log is copied to `PATH.1`
 * and truncated in place.
 */
export async function boundLog(path: string, { most = MOST_BYTES }: { readonly most?: number } = {}): Promise<void> {
  const size = (await stat(path).catch(() => undefined))?.size ?? 0;
  if (size <= most) return;
  await copyFile(path, `${path}.1`);
  await truncate(path);
}
