import { readdir, readFile, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "../../../engine/errors.ts";
import { runProgram } from "../../../host/run-program.ts";
import type { Mount } from "../client/snapshots.ts";

async function call(program: "mount" | "umount", args: readonly string[]): Promise<void> {
  try {
    await runProgram(program, args);
  } catch (thrown) {
    // What it said names folders of the engine: that is for the log, which has the cause.
    const what = program === "mount" ? "mounted" : "unmounted";
    throw new EngineError("failed", `a root file system could not be ${what}`, { cause: thrown });
  }
}

/** Mounts a snapshot, which containerd describes as one mount or a stack of them, on an existing folder. */
export async function mountAll(mounts: readonly Mount[], target: string): Promise<void> {
  for (const { type, source, options } of mounts) {
    await call("mount", ["-t", type, ...(options.length > 0 ? ["-o", options.join(",")] : []), source, target]);
  }
}

/** Takes the uppermost mount off `target`; one that is still in use goes when its last user does. */
export function unmount(target: string): Promise<void> {
  return call("umount", ["-l", target]);
}

/** The same for many targets in one process, whatever becomes of each. Never rejects. */
export async function unmountEach(targets: readonly string[]): Promise<void> {
  if (targets.length > 0) await call("umount", ["-l", ...targets]).catch(() => {});
}

/** The mount points below `dir`, the deepest first. */
export async function mountPointsUnder(dir: string): Promise<readonly string[]> {
  return (
    (await readFile("/proc/self/mountinfo", "utf8"))
      .split("\n")
      // The kernel writes space, tab, newline and backslash as octal escapes.
      .map((line) =>
        (line.split(" ")[4] ?? "").replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(parseInt(code, 8))),
      )
      .filter((point) => point.startsWith(`${dir}/`))
      .reverse()
  );
}

/** Unmounts all that a killed run left mounted below `dir`, and removes the empty folders. Never what lies in a mount that stays. */
export async function clearMounts(dir: string): Promise<void> {
  await unmountEach(await mountPointsUnder(dir));
  for (const name of await readdir(dir).catch(() => [])) {
    const path = join(dir, name);
    await rmdir(path).catch(() => unlink(path).catch(() => {}));
  }
}
