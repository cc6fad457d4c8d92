import { mkdir, readdir, readFile, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { EngineError } from "../engine/errors.ts";
import { contentSize, diskUsage } from "../host/content-size.ts";
import { exists, unlessMissing } from "../host/exists.ts";
import { runProgram } from "../host/run-program.ts";
import type { VolumeFolders } from "./volumes-service.ts";

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
  for (const point of (await mountPoints()).filter(own).reverse()) await runProgram("umount", [point]).catch(() => {});
}

/** Node's rm fails at paths that are longer than the kernel takes at once, which a container can make. */
async function removeTree(path: string): Promise<void> {
  await runProgram("rm", ["-rf", "--", path]);
}

/** Where folders are that are being removed: no volume's name begins with a dot. */
const ASIDE = ".removed";

/** Volumes as `<root>/<name>/_data`, as dockerd lays them out. The driver's options mount something there. */
export function createVolumeFolders(root: string): VolumeFolders {
  const path = (name: string) => join(root, name, "_data");
  const aside = (name: string) => join(root, ASIDE, name);
  return {
    path,
    make: async (name, { type, device, o }) => {
      const plain = type === undefined && device === undefined;
      if (plain) await mkdir(path(name), { recursive: true });
      if (plain || (await isMounted(path(name)))) return;
      try {
        await mkdir(path(name), { recursive: true });
        await runProgram("mount", [
          ...(type ? ["-t", type] : []),
          ...(o ? ["-o", o] : []),
          device ?? "none",
          path(name),
        ]);
      } catch (thrown) {
        throw new EngineError(
          "failed",
          `failed to mount local volume: mount ${device ?? ""}:${path(name)}: ${stderrOf(thrown)}`,
        );
      }
    },
    setAside: async (name) => {
      // The mounted content is not the volume's: remove nothing unless it can be unmounted.
      while (await isMounted(path(name))) await runProgram("umount", [path(name)]);
      if (!(await exists(join(root, name)))) return;
      await mkdir(join(root, ASIDE), { recursive: true, mode: 0o700 });
      // A removal of an earlier volume of this name may not have ended.
      await removeTree(aside(name));
      await rename(join(root, name), aside(name));
    },
    putBack: async (name) => {
      if (!(await exists(join(root, name)))) await rename(aside(name), join(root, name)).catch(unlessMissing);
    },
    discard: (name) => removeTree(aside(name)),
    aside: async () => (await readdir(join(root, ASIDE)).catch(unlessMissing)) ?? [],
    size: (name) => contentSize(path(name)),
    diskUsage: (name) => diskUsage(path(name)),
  };
}
