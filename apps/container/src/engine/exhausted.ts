import { EngineError } from "./errors.ts";

/** The kernel's words for a full disk, as programs pass them on. */
const FULL_DISK = /no space left on device|disk quota exceeded/i;

/** Whether a program's message tells of a full disk. */
export function tellsOfFullDisk(message: string): boolean {
  return FULL_DISK.test(message);
}

/**
 * The error for a call of this process, or of a program that it ran, for which the disk had no space or the process no descriptors;
 * undefined for anything else. Names no path: that is for the log.
 */
export function exhausted(thrown: unknown): EngineError | undefined {
  const seen = new Set<unknown>();
  for (let cause = thrown; cause instanceof Error && !seen.has(cause); cause = cause.cause) {
    seen.add(cause);
    const { code } = cause as { readonly code?: unknown };
    if (code === "ENOSPC" || code === "EDQUOT" || tellsOfFullDisk(cause.message))
      return new EngineError("full", "no space left on the disk of the container service", { cause: thrown });
    if (code === "EMFILE" || code === "ENFILE")
      return new EngineError(
        "unavailable",
        "the container service has too many open files: raise its limit (ulimit -n)",
        {
          cause: thrown,
        },
      );
  }
  return undefined;
}
