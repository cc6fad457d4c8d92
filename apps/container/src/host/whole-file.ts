import { rename, rm, writeFile } from "node:fs/promises";

/** Writes the file whole or not at all: a crash or a full disk leaves what was there before. */
export async function writeWhole(path: string, text: string, options: { readonly mode?: number } = {}): Promise<void> {
  const part = `${path}.part`;
  try {
    await writeFile(part, text, options);
    await rename(part, path);
  } catch (thrown) {
    await rm(part, { force: true }).catch(() => {});
    throw thrown;
  }
}
