import { join } from "node:path";
import { NATIVE_DIR } from "./native-dir.ts";
import { runProgram } from "./run-program.ts";

/**
 * Tells the file system that the folders inside `folder` are unrelated, so that ext4 places each in its own block groups. Next to removed
 * files a new one costs ten times as much, until ext4 reuses their inodes. Does nothing on other file systems. Throws ProgramError.
 */
export async function spreadFolders(folder: string): Promise<void> {
  await runProgram(join(NATIVE_DIR, "spread"), [folder]);
}
