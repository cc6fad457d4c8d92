import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";

/** Left by the build, `tools/fresh-database.mjs`. From `src` and `dist` alike. */
const DUMP = new URL("../dist/fresh-database.tar.gz", import.meta.url);

/** Opens the database in `folder`, made when absent, or an empty one in memory. */
export async function openEmbedded(folder?: string): Promise<PGlite> {
  if (folder === undefined) return PGlite.create(await fresh());
  await makeFolder(folder);
  return PGlite.create({ dataDir: folder });
}

/** What PGlite makes a database from: the empty one that the build left, else nothing, which costs seconds more. */
async function fresh(): Promise<{ readonly loadDataDir?: Blob }> {
  const dump = existsSync(DUMP) ? await readFile(DUMP) : undefined;
  return dump === undefined ? {} : { loadDataDir: new Blob([dump], { type: "application/x-gzip" }) };
}

/** Whole or not at all: PGlite takes for a database what a process that ended too early left of one. */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(join(folder, "PG_VERSION"))) return;
  const part = `${folder}.part`;
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true, mode: 0o700 });
  const made = await PGlite.create({ dataDir: part, ...(await fresh()) });
  await made.close();
  await rename(part, folder);
}
