import { copyFile, stat, truncate } from "node:fs/promises";

const MOST_BYTES = 16 << 20;

/**
 * Bounds the log of our own containerd, which goes on writing to the file that it was started with, at the file's end: what has grown
 * too long is copied to `PATH.1`, in place of what is there, and cut off in place. Bytes.
 */
export async function boundLog(path: string, { most = MOST_BYTES }: { readonly most?: number } = {}): Promise<void> {
  const size = (await stat(path).catch(() => undefined))?.size ?? 0;
  if (size <= most) return;
  await copyFile(path, `${path}.1`);
  await truncate(path);
}
