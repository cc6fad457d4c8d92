import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { EngineError } from "../engine/errors.ts";
import { NATIVE_DIR } from "./native-dir.ts";

const run = promisify(execFile);

/**
 * Total bytes of all files below the directory `path`, as Docker shows sizes (moby `pkg/directory`): logical sizes, without directories;
 * hard links count once; links are not followed. Throws `failed`.
 */
export async function contentSize(path: string): Promise<number> {
  try {
    return Number((await run(join(NATIVE_DIR, "in-rootfs"), [path, "ro", "size"], { cwd: "/", env: {} })).stdout);
  } catch (cause) {
    throw new EngineError("failed", "the size of a folder could not be read", { cause });
  }
}
