import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file for each thing that a process of any run of the tests on this host has for itself: its pid. */
const CLAIMS = join(tmpdir(), "berth-claims");

/** Whether this process has the thing of that name from now on, until it ends. */
export function claim(name: string): boolean {
  const path = join(CLAIMS, name);
  mkdirSync(CLAIMS, { recursive: true });
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
    // One that was killed left its file.
    if (!hasHolder(path)) release(name);
    return false;
  }
  process.once("exit", () => release(name));
  return true;
}

/** Gives up what a process had, also one that was killed. */
export function release(name: string): void {
  rmSync(join(CLAIMS, name), { force: true });
}

/** Whether the process that a file names is there; false too where the file is gone. */
function hasHolder(path: string): boolean {
  try {
    process.kill(Number(readFileSync(path, "utf8")), 0);
    return true;
  } catch {
    return false;
  }
}
