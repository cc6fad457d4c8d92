import { readFileSync } from "node:fs";

/**
 * The text of a file of `/proc` or of a control group; undefined where it cannot be read, as of a process that has ended. The kernel
 * answers from memory: to wake a thread for each step of a reading takes longer than the reading.
 */
export function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
