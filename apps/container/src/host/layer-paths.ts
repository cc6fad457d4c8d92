import { join } from "node:path";
import type { LayerPath } from "../containers/records/runtime.ts";
import { EngineError } from "../engine/errors.ts";
import { NATIVE_DIR } from "./native-dir.ts";
import { ProgramError, runProgram } from "./run-program.ts";

/** Bytes of names: a container can make files without end, and their list is held in memory. */
const MOST_BYTES = 8 << 20;
const TIMEOUT_MS = 60_000;

/**
 * What the layer in the directory `path` has of its own, folders before what is in them; no file is opened. Throws `too-large` for more
 * names than a list may hold, `failed` if the layer cannot be read.
 */
export async function layerPaths(path: string): Promise<readonly LayerPath[]> {
  const options = { cwd: "/", env: {}, maxBytes: MOST_BYTES, timeout: TIMEOUT_MS };
  const { stdout } = await runProgram(join(NATIVE_DIR, "in-rootfs"), [path, "ro", "layer"], options).catch(
    (cause: unknown) => {
      if (cause instanceof ProgramError && cause.killed === "output")
        throw new EngineError("too-large", "the container changed more files than can be listed; export it instead", {
          cause,
        });
      throw new EngineError("failed", "the changes of a layer could not be read", { cause });
    },
  );
  return stdout
    .split("\0")
    .slice(0, -1)
    .map((line) => ({ path: line.slice(1), deleted: line.startsWith("D") }));
}
