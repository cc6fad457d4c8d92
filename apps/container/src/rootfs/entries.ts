import { posix } from "node:path";
import type { Readable } from "node:stream";
import type { WriteOptions } from "../containers/archive/files.ts";
import { chunksOf } from "../engine/concurrency/chunks-of.ts";
import { EngineError } from "../engine/errors.ts";
import { decompress } from "../images/archive/compression.ts";
import { invalidArchive as invalid, type TarHeader, type TarType } from "../images/archive/tar-header.ts";
import { TarReader } from "../images/archive/tar-reader.ts";
import { attributesOf } from "./attributes.ts";

const LETTERS: Readonly<Record<TarType, string>> = {
  file: "f",
  "contiguous-file": "f",
  directory: "d",
  symlink: "l",
  link: "h",
  "character-device": "c",
  "block-device": "b",
  fifo: "p",
};

/** Relative to the folder that is unpacked into, with nothing left that climbs: `..` stops there, `/` means it. */
function clamp(name: string): string {
  return posix.join("/", name).replace(/\/+$/, "").slice(1) || ".";
}

function leaves(path: string): boolean {
  return path === ".." || path.startsWith("../");
}

/** A link's text, checked as Docker checks it: one that is relative and leads out of the folder is refused. */
function linkOf(letter: string, name: string, { linkname: link }: TarHeader, folder: string): string {
  if (letter === "h") {
    if (leaves(posix.normalize(link))) throw invalid(`invalid hardlink ${quote(name)} -> ${quote(link)}`);
    return clamp(link);
  }
  if (letter !== "l") return "";
  const target = posix.relative(folder, posix.join(folder, posix.dirname(name), link));
  if (leaves(target)) throw invalid(`invalid symlink ${quote(name)} -> ${quote(link)}`);
  return link;
}

function quote(text: string): string {
  return JSON.stringify(text);
}

function whole(what: string, value: number | string): number {
  const number = Math.floor(Number(value));
  if (!Number.isSafeInteger(number)) throw invalid(`${what} is ${quote(String(value))}, want a whole number`);
  return number;
}

/**
 * An entry of an archive as `native/in-rootfs-write.c` reads it. Throws `invalid` for what cannot be made and `forbidden` for
 * devices where they are refused.
 *
 * @param folder the absolute path that is unpacked into.
 */
export function recordOf(
  header: TarHeader,
  folder: string,
  { devices, owner }: Pick<WriteOptions, "devices" | "owner">,
): Buffer {
  const letter = header.type && LETTERS[header.type];
  const name = clamp(header.name);
  if (Object.keys(header.pax).some((key) => key.startsWith("GNU.sparse.")))
    throw invalid(`the entry ${quote(name)} is sparse: make the archive without --sparse`);
  if (letter === undefined) throw invalid(`unhandled type of entry ${quote(name)}`);
  if (devices === "refused" && (letter === "c" || letter === "b"))
    throw new EngineError("forbidden", `the device node ${quote(name)} is for privileged containers alone`);
  const link = linkOf(letter, name, header, folder);
  if (name.includes("\0") || link.includes("\0")) throw invalid(`a NUL in the name of ${quote(name)}`);
  const uid = owner?.uid ?? whole("uid", header.pax.uid ?? header.uid);
  const gid = owner?.gid ?? whole("gid", header.pax.gid ?? header.gid);
  const mtime = whole("mtime", header.pax.mtime ?? header.mtime);
  const size = letter === "f" ? whole("size", header.size) : 0;
  const numbers = [uid, gid, mtime, size, whole("device", header.devmajor), whole("device", header.devminor)];
  if (uid < 0 || uid > 0xffff_ffff || gid < 0 || gid > 0xffff_ffff || size < 0)
    throw invalid(`the owner or the size of ${quote(name)} is out of range`);
  const mode = whole("mode", header.mode) & 0o7777;
  return Buffer.from(`${letter} ${mode.toString(8)} ${numbers.join(" ")}\0${name}\0${link}\0`);
}

/** What an entry begins with: the records of its attributes, and its own. */
function recordsOfEntry(header: TarHeader, folder: string, options: Pick<WriteOptions, "devices" | "owner">): Buffer[] {
  const record = recordOf(header, folder, options);
  const attributes = [...attributesOf(header.paxBytes)].flatMap(([name, value]) => [
    Buffer.from(`x 0 0 0 0 ${value.length} 0 0\0${name}\0\0`),
    value,
  ]);
  return [...attributes, record];
}

/**
 * The records of a plain or compressed archive, each with its content; as many at once as a chunk of the archive has. Throws `invalid` for a
 * malformed archive, after what came before the fault; errors of the source, such as a client that left, are passed on.
 */
export async function* recordsOf(
  archive: Readable,
  folder: string,
  options: Pick<WriteOptions, "devices" | "owner">,
): AsyncGenerator<Uint8Array> {
  const tar = new TarReader();
  let isFile = false;
  for await (const chunk of await decompress(chunksOf(archive))) {
    const records: Uint8Array[] = [];
    let fault: { readonly thrown: unknown } | undefined;
    try {
      for (const part of tar.read(chunk)) {
        if (!(part instanceof Uint8Array)) {
          records.push(...recordsOfEntry(part, folder, options));
          isFile = part.type === "file" || part.type === "contiguous-file";
        } else if (isFile) records.push(part);
      }
    } catch (thrown) {
      fault = { thrown };
    }
    const [first] = records;
    if (first !== undefined) yield records.length === 1 ? first : Buffer.concat(records);
    if (fault !== undefined) throw fault.thrown;
  }
  tar.end();
}
