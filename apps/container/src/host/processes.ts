import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Host } from "../containers/surroundings.ts";
import { EngineError } from "../errors.ts";

const run = promisify(execFile);

export const createHost = (): Host => ({
  ps: async (args) => {
    try {
      return (await run("ps", args, { maxBuffer: 64 * 1024 * 1024 })).stdout.trimEnd().split("\n");
    } catch (thrown) {
      const { stderr = "" } = thrown as { readonly stderr?: string };
      throw new EngineError("invalid", `ps: ${stderr.trim().split("\n")[0] || String(thrown)}`);
    }
  },
});
