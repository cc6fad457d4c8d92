import { lstat, readlink } from "node:fs/promises";
import { join, posix } from "node:path";

const MOST_LINKS = 40;

/**
 * Resolves a container's `path` on the host. Symbolic links resolve as in the container: absolute links and `..` stay within `root`.
 * Missing parts stay as they are. Safe only while nothing else changes `root`.
 */
export async function resolveInRoot(root: string, path: string): Promise<string> {
  let resolved = "/";
  let links = 0;
  const left = path.split("/");
  while (left.length > 0) {
    const part = left.shift() ?? "";
    if (part === "" || part === ".") continue;
    const next = posix.join(resolved, part);
    const stat = await lstat(join(root, next)).catch(() => undefined);
    if (!stat?.isSymbolicLink()) {
      resolved = next;
      continue;
    }
    if (++links > MOST_LINKS) throw new Error(`too many symbolic links in ${path}`);
    const target = await readlink(join(root, next));
    if (target.startsWith("/")) resolved = "/";
    left.unshift(...target.split("/"));
  }
  return join(root, resolved);
}
