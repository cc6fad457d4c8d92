import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { ConsoleFile, ConsoleFiles } from "./routes/console.ts";

const require = createRequire(import.meta.url);
const compress = promisify(gzip);

/** Reads the built web console from the package `@berth/console`; undefined if it was not built. */
export function readConsoleFiles(): Promise<ConsoleFiles | undefined> {
  return readSite(join(dirname(require.resolve("@berth/console/package.json")), "dist/site"));
}

/** Reads every file of a site's folder, by its path with a leading slash; undefined if it has no `index.html`. */
export async function readSite(folder: string): Promise<ConsoleFiles | undefined> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = new Map<string, ConsoleFile>();
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const content = await readFile(file);
    files.set(file.slice(folder.length), {
      content,
      compressed: await compress(content, { level: 9 }),
      etag: `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`,
    });
  }
  return files.has("/index.html") ? files : undefined;
}
