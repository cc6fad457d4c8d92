import { constants } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join, posix } from "node:path";
import type { Readable } from "node:stream";
import type { ArchiveFiles } from "../../containers/archive/files.ts";
import { EngineError } from "../../engine/errors.ts";
import { resolveInRoot } from "../../host/resolve-in-root.ts";
import { MAX_DOCKERFILE_CHARACTERS } from "../dockerfile/parse.ts";
import { isIgnored } from "./ignore.ts";

/**
 * Unpacks an archive, compressed in any way, as the build's context. Nothing in it leads out of `folder`. Throws EngineError.
 *
 * @param left the bytes that it may take.
 */
export async function unpackContext(
  files: Pick<ArchiveFiles, "write">,
  folder: string,
  { archive, left }: { readonly archive: Readable; readonly left: number },
): Promise<void> {
  const view = { root: folder, mounts: [], access: "rw" } as const;
  await files.write(view, "/", archive, { keepKinds: false, devices: "refused", owner: undefined, left });
}

function outside(path: string): boolean {
  let depth = 0;
  for (const part of path.split("/")) {
    if (part === "..") depth--;
    else if (part !== "" && part !== ".") depth++;
    if (depth < 0) return true;
  }
  return false;
}

/**
 * Reads the context's Dockerfile, and removes it and `.dockerignore` where that says so, as dockerd does: clients send both whatever
 * they leave out. Throws `invalid` in dockerd's words. Nothing else may change the context meanwhile.
 */
export async function takeDockerfile(folder: string, name: string): Promise<string> {
  const dockerfile = await readDockerfile(folder, name);
  const ignore = await tryRead(folder, IGNORE_FILE);
  for (const path of ignore === undefined ? [] : [IGNORE_FILE, name === "" ? "Dockerfile" : name])
    if (ignore !== undefined && isIgnored(ignore, path)) await removeFile(folder, path);
  return dockerfile;
}

const IGNORE_FILE = ".dockerignore";

async function removeFile(folder: string, path: string): Promise<void> {
  // The name itself, not what a link of that name leads to.
  const parent = await resolveInRoot(folder, posix.dirname(path));
  await rm(join(parent, posix.basename(path)), { force: true });
}

async function readDockerfile(folder: string, name: string): Promise<string> {
  const path = name === "" ? "Dockerfile" : name;
  if (outside(path)) throw new EngineError("invalid", `Forbidden path outside the build context: ${path} ()`);
  const missing = () => new EngineError("invalid", `Cannot locate specified Dockerfile: ${path}`);
  const found = (await tryRead(folder, path)) ?? (name === "" ? await tryRead(folder, "dockerfile") : undefined);
  if (found === undefined) throw missing();
  if (found.trim() === "") throw new EngineError("invalid", `the Dockerfile (${path}) cannot be empty`);
  return found;
}

async function tryRead(folder: string, path: string): Promise<string | undefined> {
  const resolved = await resolveInRoot(folder, path);
  // A fifo would wait for a writer that never comes.
  const file = await open(resolved, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat().then((stat) => (stat.isFile() ? stat : { size: -1 }));
    if (size < 0) return undefined;
    if (size > 4 * MAX_DOCKERFILE_CHARACTERS)
      throw new EngineError("too-large", `the Dockerfile ${path} has ${size} bytes`);
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}
