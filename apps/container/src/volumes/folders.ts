import { execFile } from "node:child_process";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { EngineError } from "../errors.ts";
import type { VolumeFolders } from "./volume-service.ts";

const run = promisify(execFile);

const stderrOf = (thrown: unknown): string => (thrown as { readonly stderr?: string }).stderr?.trim() || String(thrown);

const isMounted = async (path: string): Promise<boolean> =>
  (await readFile("/proc/self/mountinfo", "utf8")).split("\n").some((line) => line.split(" ")[4] === path);

/** Volumes as `<root>/<name>/_data`, as dockerd lays them out. The driver's options mount something there. */
export const createVolumeFolders = (root: string): VolumeFolders => {
  const path = (name: string) => join(root, name, "_data");
  return {
    path,
    make: async (name, { type, device, o }) => {
      await mkdir(path(name), { recursive: true });
      if ((type === undefined && device === undefined) || (await isMounted(path(name)))) return;
      try {
        await run("mount", [...(type ? ["-t", type] : []), ...(o ? ["-o", o] : []), device ?? "none", path(name)]);
      } catch (thrown) {
        throw new EngineError(
          "failed",
          `failed to mount local volume: mount ${device ?? ""}:${path(name)}: ${stderrOf(thrown)}`,
        );
      }
    },
    remove: async (name) => {
      // What is mounted there belongs to someone else: unless it can be let go of, nothing is removed.
      while (await isMounted(path(name))) await run("umount", [path(name)]);
      await rm(join(root, name), { recursive: true, force: true, maxRetries: 3 });
    },
    size: async (name) => Number((await run("du", ["-sb", path(name)])).stdout.split("\t")[0]),
  };
};
