import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { spreadFolders } from "./spread-folders.ts";

/**
 * Creates the state folder and the volumes' folder, and closes both to other accounts even if they exist with wider modes. A container's
 * root can make setuid files in a volume, so no other account of the host may reach one.
 */
export async function openStateFolders(stateDir: string): Promise<void> {
  const folders = [
    [stateDir, 0o711],
    [join(stateDir, "volumes"), 0o700],
  ] as const;
  for (const [folder, mode] of folders) {
    await mkdir(folder, { recursive: true, mode });
    // mkdir leaves the mode of an existing folder, and the umask narrows that of a new one.
    await chmod(folder, mode);
  }
  // Without it everything works, but slower.
  await spreadFolders(join(stateDir, "volumes")).catch(() => {});
}
