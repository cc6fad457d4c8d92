import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pack } from "tar-stream";
import type { LayerPath } from "../../containers/records/runtime.ts";
import type { LayerTar } from "../../images/images.ts";
import { digestOf } from "../../images/manifest/manifest.ts";

const BASE: Readonly<Record<string, string>> = { "etc/notes": "not a program\n" };

/** A real folder in `folder`, since callers of a root file system need a path. */
export async function makeRoot(folder: string): Promise<string> {
  const root = await mkdtemp(join(folder, "berth-memory-"));
  for (const folder of ["bin", "etc"]) await mkdir(join(root, folder));
  for (const [path, text] of Object.entries(BASE)) await writeFile(join(root, path), text);
  return root;
}

/** As with a mount, the path is good for the call alone. */
export async function withView<T>(root: string, use: (path: string) => Promise<T>): Promise<T> {
  const path = `${root}-${randomBytes(6).toString("hex")}`;
  await symlink(root, path);
  try {
    return await use(path);
  } finally {
    await rm(path);
  }
}

interface Change {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The files that were added or changed. */
async function* changesIn(root: string): AsyncGenerator<Change> {
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const [name, bytes] = [relative(root, path), await readFile(path)];
    if (BASE[name] !== String(bytes)) yield { name, bytes };
  }
}

/** The changed files as a layer. */
export async function changesOf(root: string): Promise<LayerTar> {
  const tar = pack();
  for await (const { name, bytes } of changesIn(root)) tar.entry({ name }, bytes);
  tar.finalize();
  const bytes = await buffer(tar);
  return { digest: digestOf(bytes), size: bytes.length, bytes: Readable.from(bytes) };
}

/** The paths of the changed files. */
export async function pathsOf(root: string): Promise<readonly LayerPath[]> {
  const paths: LayerPath[] = [];
  for await (const { name } of changesIn(root)) paths.push({ path: `/${name}`, deleted: false });
  return paths;
}

/** Bytes of the changed files. */
export async function sizeOf(root: string): Promise<number> {
  let size = 0;
  for await (const { bytes } of changesIn(root)) size += bytes.length;
  return size;
}
