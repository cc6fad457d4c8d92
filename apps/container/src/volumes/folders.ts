import { execFile } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { EngineError } from "../engine/errors.ts";
import { contentSize, diskUsage } from "../host/content-size.ts";
import type { VolumeFolders } from "./volumes-service.ts";

const run = promisify(execFile);

function stderrOf(thrown: unknown): string {
  const { stderr = "" } = thrown as { readonly stderr?: string };
  // mount(8) begins with itself and the folder, and its further lines point to manuals.
  const [reason = ""] = stderr.trim().split("\n");
  return reason.replace(/^mount: [^:]*: /, "") || String(thrown);
}

async function mountPoints(): Promise<readonly string[]> {
  return (await readFile("/proc/self/mountinfo", "utf8")).split("\n").map((line) => line.split(" ")[4] ?? "");
}

async function isMounted(path: string): Promise<boolean> {
  return (await mountPoints()).includes(path);
}

/** Unmounts what the volumes' options mounted. A mount in use stays. */
export async function unmountVolumes(root: string): Promise<void> {
  const own = (point: string) => dirname(dirname(point)) === root && basename(point) === "_data";
  for (const point of (await mountPoints()).filter(own).reverse()) await run("umount", [point]).catch(() => {});
}

/** Volumes as `<root>/<name>/_data`, as dockerd lays them out. The driver's options mount something there. */
export function createVolumeFolders(root: string): VolumeFolders {
  const path = (name: string) => join(root, name, "_data");
  return {
    path,
    make: async (name, { type, device, o }) => {
      const plain = type === undefined && device === undefined;
      if (plain) await mkdir(path(name), { recursive: true });
      if (plain || (await isMounted(path(name)))) return;
      try {
        await mkdir(path(name), { recursive: true });
        await run("mount", [...(type ? ["-t", type] : []), ...(o ? ["-o", o] : []), device ?? "none", path(name)]);
      } catch (thrown) {
        throw new EngineError(
          "failed",
          `failed to mount local volume: mount ${device ?? ""}:${path(name)}: ${stderrOf(thrown)}`,
        );
      }
    },
    remove: async (name) => {
      // The mounted content is not the volume's: remove nothing unless it can be unmounted.
      while (await isMounted(path(name))) await run("umount", [path(name)]);
      // Node's rm fails at paths that are longer than the kernel takes at once, which a container can make.
      await run("rm", ["-rf", "--", join(root, name)]);
    },
    size: (name) => contentSize(path(name)),
    diskUsage: (name) => diskUsage(path(name)),
  };
}
