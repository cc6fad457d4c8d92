import { buffer } from "node:stream/consumers";
import { extract } from "tar-stream";
import { EngineError, isEngineError } from "../../engine/errors.ts";
import type { ArchiveFiles, RootView, WriteOptions } from "./files.ts";

const LARGEST = 1 << 20;

/** Reads an account file, following links; "" if it does not exist. */
async function textOf(files: ArchiveFiles, view: RootView, path: string): Promise<string> {
  try {
    const { linkTarget } = await files.stat(view, path);
    const { facts, archive } = await files.read(view, linkTarget || path, "file");
    try {
      if (facts.size > LARGEST) throw new EngineError("too-large", `${path} is larger than ${LARGEST} bytes`);
      const tar = archive.pipe(extract());
      for await (const entry of tar) return String(await buffer(entry));
      return "";
    } finally {
      archive.destroy();
    }
  } catch (thrown) {
    if (isEngineError(thrown, "not-found")) return "";
    throw thrown;
  }
}

const NUMBER = /^\d+$/;

function find(text: string, name: string): readonly string[] | undefined {
  return text
    .split("\n")
    .map((line) => line.split(":"))
    .find(([first, , id]) => first === name || id === name);
}

/**
 * Resolves Docker's `--user` against the container's account files; undefined if it is empty.
 * Throws `invalid` for an unknown name.
 */
export async function ownerOf(files: ArchiveFiles, view: RootView, user: string): Promise<WriteOptions["owner"]> {
  if (user === "") return undefined;
  const [name = "", group = ""] = user.split(":");
  const account = find(await textOf(files, view, "/etc/passwd"), name);
  if (account === undefined && !NUMBER.test(name))
    throw new EngineError("invalid", `unable to find user ${name}: no matching entries in passwd file`);
  const uid = Number(account?.[2] ?? name);
  if (group === "") return { uid, gid: Number(account?.[3] ?? 0) };
  if (NUMBER.test(group)) return { uid, gid: Number(group) };
  const known = find(await textOf(files, view, "/etc/group"), group);
  if (known === undefined)
    throw new EngineError("invalid", `unable to find group ${group}: no matching entries in group file`);
  return { uid, gid: Number(known[2]) };
}
