import { statfs } from "node:fs/promises";
import { EngineError } from "../engine/errors.ts";
import type { DiskQuota } from "../images/disk-quota.ts";

/** Inodes reserved for other programs on file systems that count them. */
const RESERVED_FILES = 4096;

/** The quota on the file system of `folder`; keeps `reserve` bytes free, since a full disk breaks unrelated programs. */
export function createDiskQuota(
  folder: string,
  { reserve, ...limits }: { readonly layer: number; readonly image: number; readonly reserve: number },
): DiskQuota {
  return {
    ...limits,
    free: async () => {
      const { bavail, bsize, files, ffree } = await statfs(folder);
      const free = bavail * bsize - reserve;
      if (free <= 0 || (files > 0 && ffree < RESERVED_FILES))
        throw new EngineError(
          "full",
          `no space left on ${folder}: free space is below BERTH_DISK_RESERVE (${reserve} bytes) or fewer than ${RESERVED_FILES} inodes are free`,
        );
      return free;
    },
  };
}
