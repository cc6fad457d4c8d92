import { constants } from "node:fs";
import { type FileHandle, lstat, open, readlink } from "node:fs/promises";
import { EngineError } from "../../../engine/errors.ts";

/** As the kernel's own limit (path_resolution(7)). */
const MAX_LINKS = 40;

function errorCode(thrown: unknown): unknown {
  return thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
}

/**
 * Opens `path` for reading as a process with the root `root` would: links and `..` never lead out of it, even if the container changes them
 * at the same time. Opens each step relative to the previous one through `/proc/self/fd`, without following links; this is
 * openat2(2)'s RESOLVE_IN_ROOT, which Node does not offer. Devices and FIFOs do not block. Undefined if nothing is there.
 */
export async function openInside(root: string, path: string): Promise<FileHandle | undefined> {
  const steps = [await open(root, constants.O_RDONLY | constants.O_DIRECTORY)];
  const todo = path.split("/");
  let links = 0;
  try {
    while (true) {
      const part = todo.shift();
      if (part === undefined) return steps.pop();
      if (part === "" || part === ".") continue;
      if (part === "..") {
        if (steps.length > 1) await steps.pop()?.close();
        continue;
      }
      const here = `/proc/self/fd/${steps.at(-1)?.fd}/${part}`;
      if ((await lstat(here)).isSymbolicLink()) {
        const link = await readlink(here);
        if (++links > MAX_LINKS) throw new EngineError("invalid", `too many symbolic links: ${path}`);
        if (link.startsWith("/")) for (const step of steps.splice(1)) await step.close();
        todo.unshift(...link.split("/"));
        continue;
      }
      const folder = todo.some((rest) => rest !== "" && rest !== ".") ? constants.O_DIRECTORY : 0;
      steps.push(await open(here, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | folder));
    }
  } catch (thrown) {
    if (errorCode(thrown) === "ENOENT" || errorCode(thrown) === "ENOTDIR") return undefined;
    throw thrown;
  } finally {
    await Promise.all(steps.map((step) => step.close()));
  }
}

/**
 * The text of a file inside `root`, see `openInside`; undefined where there is none. `too-large` beyond `limit` bytes, `invalid` where it
 * is no regular file: what reads it in the container could wait for ever.
 */
export async function readInside(
  root: string,
  path: string,
  { limit = 1 << 20 }: { readonly limit?: number } = {},
): Promise<string | undefined> {
  const file = await openInside(root, path);
  if (file === undefined) return undefined;
  try {
    const info = await file.stat();
    if (info.isDirectory()) return undefined;
    if (!info.isFile()) throw new EngineError("invalid", `${path} in the container is not a regular file`);
    if (info.size > limit) throw new EngineError("too-large", `${path} in the container is larger than ${limit} bytes`);
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}
