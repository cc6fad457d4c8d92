import { statfs } from "node:fs/promises";
import { EngineError } from "../engine/errors.ts";
import type { Room } from "../images/disk-quota.ts";

/** Files that are left to others, where the file system counts them. */
const RESERVED_FILES = 4096;

/** The room on the file system of `folder`, of which `reserve` bytes are left free: a full disk stops more than what filled it. */
export function createDiskRoom(
  folder: string,
  { reserve, ...limits }: { readonly layer: number; readonly image: number; readonly reserve: number },
): Room {
  return {
    ...limits,
    free: async () => {
      const { bavail, bsize, files, ffree } = await statfs(folder);
      const free = bavail * bsize - reserve;
      if (free <= 0 || (files > 0 && ffree < RESERVED_FILES))
        throw new EngineError(
          "failed",
          `no space left: the file system of ${folder} is left with its reserve, the ${reserve} bytes of BERTH_DISK_RESERVE or ${RESERVED_FILES} files`,
        );
      return free;
    },
  };
}
