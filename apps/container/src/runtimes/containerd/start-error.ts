import { StartError } from "../../containers/runtime.ts";
import { EngineError } from "../../errors.ts";

/** By what runc says, as moby's `setExitCodeFromError` decides it; the first that fits. */
const exitCodes: readonly (readonly [RegExp, 126 | 127])[] = [
  [/executable file not found|no such file or directory|system cannot find the file/i, 127],
  [/permission denied|is a directory|exec format error|not a directory/i, 126],
];

/** Makes of a failed create or start what Docker's clients know; anything else stays as it is. */
export const toStartError = (thrown: unknown): unknown => {
  if (!(thrown instanceof EngineError) || !thrown.message.includes("OCI runtime")) return thrown;
  const exitCode = exitCodes.find(([pattern]) => pattern.test(thrown.message))?.[1];
  if (exitCode === undefined) return thrown;
  return new StartError(exitCode, `failed to create task for container: ${thrown.message}`, { cause: thrown });
};
