import type { ProcessList } from "../containers/exec/top.ts";
import { EngineError } from "../engine/errors.ts";
import { runProgram } from "./run-program.ts";

/** Reads this host's process list with `ps`. */
export const HOST_PROCESSES: ProcessList = {
  async ps(args) {
    try {
      return (await runProgram("ps", args, { maxBytes: 64 * 1024 * 1024 })).stdout.trimEnd().split("\n");
    } catch (thrown) {
      const { stderr = "" } = thrown as { readonly stderr?: string };
      throw new EngineError("invalid", `ps: ${stderr.trim().split("\n")[0] || String(thrown)}`);
    }
  },
};
