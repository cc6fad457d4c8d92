import { posix } from "node:path";
import { buffer } from "node:stream/consumers";
import type { ImageStore, ImageWriter } from "../store.ts";
import { once } from "./chunk.ts";
import type { Compression } from "./compression.ts";
import { compressionOf, decompress, peek } from "./compression.ts";
import { invalidArchive as invalid } from "./tar-header.ts";
import { tarEntries } from "./tar-reader.ts";

export interface ArchivedBlob {
  readonly digest: string;
  /** Bytes as stored in the archive. */
  readonly size: number;
  readonly compression: Compression;
}

/** The files of an image archive, by path. Paths are only keys and never touch a file system; `..` stops at the archive's root. */
export interface Archive {
  has(path: string): boolean;
  /** Reads a small file: a manifest or a configuration. */
  read(path: string): Promise<Buffer>;
  /** Stores a file as a blob. */
  blob(path: string): Promise<ArchivedBlob>;
}

type Entry =
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  | { readonly kind: "blob"; readonly blob: ArchivedBlob }
  | { readonly kind: "link"; readonly target: string };

/** Keeps small files in memory while their total stays small, too: a legacy archive has three per layer. */
const SMALL_BYTES = 64 << 10;
const MAX_SMALL_TOTAL = 16 << 20;
const MAX_READ_BYTES = 8 << 20;
const MAX_ENTRIES = 100_000;
const MAX_LINKS = 32;

function keyOf(path: string): string {
  return posix.join("/", path);
}

/** Reads a tar, plain or compressed, to its end. Large files go straight into the store, so that memory stays bounded. */
export async function readArchive(
  source: AsyncIterable<Uint8Array>,
  store: ImageStore,
  writer: ImageWriter,
  signal: AbortSignal,
): Promise<Archive> {
  const entries = new Map<string, Entry>();
  let smallTotal = 0;
  for await (const { header, content } of tarEntries(await decompress(source))) {
    signal.throwIfAborted();
    const { name, type, size, linkname } = header;
    if (entries.size >= MAX_ENTRIES) throw invalid(`more than ${MAX_ENTRIES} entries`);
    const key = keyOf(name);
    if (type === "symlink") entries.set(key, { kind: "link", target: posix.join(posix.dirname(key), linkname) });
    else if (type === "link") entries.set(key, { kind: "link", target: keyOf(linkname) });
    else if (type !== "file" && type !== "contiguous-file") continue;
    else if (size <= SMALL_BYTES && smallTotal + size <= MAX_SMALL_TOTAL) {
      smallTotal += size;
      entries.set(key, { kind: "bytes", bytes: await buffer(content) });
    } else
      entries.set(key, { kind: "blob", blob: await writeBlob(writer, content, size, expectedDigest(key), signal) });
  }
  return archiveOf(entries, store, writer);
}

/** In an OCI layout, the path of a blob contains its digest. */
function expectedDigest(key: string): string | undefined {
  const digits = /^\/blobs\/sha256\/([0-9a-f]{64})$/.exec(key)?.[1];
  return digits === undefined ? undefined : `sha256:${digits}`;
}

async function writeBlob(
  writer: ImageWriter,
  content: AsyncIterable<Uint8Array>,
  size: number,
  digest: string | undefined,
  signal: AbortSignal,
): Promise<ArchivedBlob> {
  const { compression, bytes } = await peek(content);
  const written = await writer.blob(bytes, { size, signal, ...(digest === undefined ? {} : { digest }) });
  return { digest: written, size, compression };
}

function archiveOf(entries: Map<string, Entry>, store: ImageStore, writer: ImageWriter): Archive {
  const find = (path: string): readonly [string, Exclude<Entry, { kind: "link" }>] | undefined => {
    let key = keyOf(path);
    for (let hop = 0; hop < MAX_LINKS; hop++) {
      const entry = entries.get(key);
      if (entry?.kind !== "link") return entry === undefined ? undefined : [key, entry];
      key = entry.target;
    }
    return undefined;
  };
  const expect = (path: string): readonly [string, Exclude<Entry, { kind: "link" }>] => {
    const found = find(path);
    if (found === undefined) throw invalid(`it names ${JSON.stringify(path)}, which is not in it`);
    return found;
  };

  return {
    has: (path) => find(path) !== undefined,
    read: async (path) => {
      const [, entry] = expect(path);
      if (entry.kind === "bytes") return entry.bytes;
      if (entry.blob.size > MAX_READ_BYTES)
        throw invalid(`${JSON.stringify(path)} is larger than ${MAX_READ_BYTES} bytes`);
      return await store.readAll(entry.blob.digest);
    },
    blob: async (path) => {
      const [key, entry] = expect(path);
      if (entry.kind === "blob") return entry.blob;
      const { bytes } = entry;
      const expected = expectedDigest(key);
      const digest = await writer.blob(once(bytes), {
        size: bytes.length,
        ...(expected === undefined ? {} : { digest: expected }),
      });
      const blob = { digest, size: bytes.length, compression: compressionOf(bytes) };
      entries.set(key, { kind: "blob", blob });
      return blob;
    },
  };
}
