import { posix } from "node:path";
import { Readable } from "node:stream";
import { extract, type Header as TarHeader } from "tar-stream";
import type { WriteOptions } from "../containers/archive/files.ts";
import { EngineError } from "../engine/errors.ts";
import { decompress } from "../images/archive/compression.ts";
import { readingAttributes } from "./attributes.ts";
import { allowMissingPadding } from "./padding.ts";

const LETTERS: Readonly<Record<string, string>> = {
  file: "f",
  "contiguous-file": "f",
  directory: "d",
  symlink: "l",
  link: "h",
  "character-device": "c",
  "block-device": "b",
  fifo: "p",
};

/** What `tar-stream` reads beyond what its types say. */
type Header = Omit<TarHeader, "type" | "pax"> & {
  readonly type: string | null;
  readonly pax: Readonly<Record<string, string>> | null;
};

function invalid(message: string): EngineError {
  return new EngineError("invalid", `invalid archive: ${message}`);
}

/** Relative to the folder that is unpacked into, with nothing left that climbs: `..` stops there, `/` means it. */
function clamp(name: string): string {
  return posix.join("/", name).replace(/\/+$/, "").slice(1) || ".";
}

function leaves(path: string): boolean {
  return path === ".." || path.startsWith("../");
}

/** A link's text, checked as Docker checks it: one that is relative and leads out of the folder is refused. */
function linkOf(letter: string, name: string, { linkname }: Header, folder: string): string {
  const link = linkname ?? "";
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

function whole(what: string, value: number | string | undefined): number {
  const number = Math.floor(Number(value ?? 0));
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
  header: Header,
  folder: string,
  { devices, owner }: Pick<WriteOptions, "devices" | "owner">,
): Buffer {
  const letter = LETTERS[header.type ?? ""];
  const name = clamp(header.name);
  if (Object.keys(header.pax ?? {}).some((key) => key.startsWith("GNU.sparse.")))
    throw invalid(`the entry ${quote(name)} is sparse: make the archive without --sparse`);
  if (letter === undefined) throw invalid(`unhandled type of entry ${quote(name)}`);
  if (devices === "refused" && (letter === "c" || letter === "b"))
    throw new EngineError("forbidden", `the device node ${quote(name)} is for privileged containers alone`);
  const link = linkOf(letter, name, header, folder);
  if (name.includes("\0") || link.includes("\0")) throw invalid(`a NUL in the name of ${quote(name)}`);
  const uid = owner?.uid ?? whole("uid", header.pax?.uid ?? header.uid);
  const gid = owner?.gid ?? whole("gid", header.pax?.gid ?? header.gid);
  const mtime = whole("mtime", header.pax?.mtime ?? (header.mtime?.getTime() ?? 0) / 1000);
  const size = letter === "f" ? whole("size", header.size) : 0;
  const numbers = [uid, gid, mtime, size, whole("device", header.devmajor), whole("device", header.devminor)];
  if (uid < 0 || uid > 0xffff_ffff || gid < 0 || gid > 0xffff_ffff || size < 0)
    throw invalid(`the owner or the size of ${quote(name)} is out of range`);
  const mode = whole("mode", header.mode) & 0o7777;
  return Buffer.from(`${letter} ${mode.toString(8)} ${numbers.join(" ")}\0${name}\0${link}\0`);
}

/**
 * The records of a plain or compressed archive, each with its content. Throws `invalid` for a malformed archive; errors of the source, such
 * as a client that left, are passed on.
 */
export async function* recordsOf(
  archive: Readable,
  folder: string,
  options: Pick<WriteOptions, "devices" | "owner">,
): AsyncGenerator<Uint8Array> {
  const source = Readable.from(await decompress(archive));
  // Archives of old have no mark of their format.
  const tar = extract({ allowUnknownFormat: true } as object);
  allowMissingPadding(tar);
  const attributes = readingAttributes(tar);
  let fault: Error | undefined;
  source.once("error", (error) => {
    fault = error;
    tar.destroy(error);
  });
  source.pipe(tar);
  try {
    for await (const entry of tar) {
      const header = entry.header as typeof entry.header & Header;
      const record = recordOf(header, folder, options);
      for (const [name, value] of attributes(header)) {
        yield Buffer.from(`x 0 0 0 0 ${value.length} 0 0\0${name}\0\0`);
        yield value;
      }
      yield record;
      if (record[0] === 0x66) yield* entry as AsyncIterable<Uint8Array>;
      entry.resume();
    }
  } catch (thrown) {
    if (fault !== undefined) throw fault;
    if (thrown instanceof EngineError || !(thrown instanceof Error)) throw thrown;
    throw new EngineError("invalid", `invalid archive: ${thrown.message}`, { cause: thrown });
  } finally {
    source.destroy();
    tar.destroy();
  }
}
