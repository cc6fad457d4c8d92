import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { ProcessList } from "../containers/exec/top.ts";
import { EngineError } from "../engine/errors.ts";

const run = promisify(execFile);

/** Reads this host's process list with `ps`. */
export const HOST_PROCESSES: ProcessList = {
  async ps(args) {
    try {
      return (await run("ps", args, { maxBuffer: 64 * 1024 * 1024 })).stdout.trimEnd().split("\n");
    } catch (thrown) {
      const { stderr = "" } = thrown as { readonly stderr?: string };
      throw new EngineError("invalid", `ps: ${stderr.trim().split("\n")[0] || String(thrown)}`);
    }
  },
};
