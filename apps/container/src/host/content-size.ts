import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { createLimiter } from "../engine/concurrency/limiter.ts";
import { EngineError } from "../engine/errors.ts";
import { NATIVE_DIR } from "./native-dir.ts";
import { runProgram } from "./run-program.ts";

/**
 * Total bytes of all files below the directory `path`, as Docker shows sizes (moby `pkg/directory`): logical sizes, without directories;
 * hard links count once; links are not followed. Throws `failed`.
 */
export function contentSize(path: string): Promise<number> {
  return counted(() => measured(path, "size"));
}

/** Anybody may ask for sizes, as often as it likes, and each walk is a process. */
const counted = createLimiter(4);

/** A folder that takes longer to walk counts as one that cannot be measured. */
const USAGE_TIMEOUT_MS = 600_000;

/**
 * Bytes of disk that everything below the directory `path` takes, at least 4 KiB for each file and folder: a file system runs out of
 * inodes, too. Walks at idle priority. Throws `not-found` and `failed`.
 */
export function diskUsage(path: string): Promise<number> {
  return measured(path, "usage");
}

async function measured(path: string, verb: "size" | "usage"): Promise<number> {
  const measuredOne = await identityOf(path);
  const options = { cwd: "/", env: {}, ...(verb === "usage" ? { timeout: USAGE_TIMEOUT_MS } : {}) };
  try {
    return Number((await runProgram(join(NATIVE_DIR, "in-rootfs"), [path, "ro", verb], options)).stdout);
  } catch (cause) {
    // One that was made in its place meanwhile is another.
    if (measuredOne === undefined || (await identityOf(path)) !== measuredOne)
      throw new EngineError("not-found", "the folder to measure is gone", { cause });
    throw new EngineError("failed", "the size of a folder could not be read", { cause });
  }
}

/** What tells a folder from one that has its path later; undefined where nothing is. */
function identityOf(path: string): Promise<string | undefined> {
  return lstat(path, { bigint: true }).then(
    ({ dev, ino, birthtimeNs }) => `${dev} ${ino} ${birthtimeNs}`,
    () => undefined,
  );
}
