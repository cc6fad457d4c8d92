import {
  BLOCK_BYTES,
  decodeHeader,
  invalidArchive,
  paxRecords,
  type TarExtension,
  type TarHeader,
  type TarType,
  textOf,
} from "./tar-header.ts";

/** An entry, or the next bytes of its content. */
export type TarPart = TarHeader | Uint8Array;

const MOST_EXTENSION_BYTES = 4 << 20;

/** Types that have no content, whatever size their header says. */
const HEADER_ONLY: ReadonlySet<TarType | undefined> = new Set([
  "link",
  "symlink",
  "character-device",
  "block-device",
  "directory",
  "fifo",
]);

function paxSays(paxBytes: Buffer): Partial<TarHeader> {
  const pax: Readonly<Record<string, string>> = Object.fromEntries(
    [...paxRecords(paxBytes)].map(([key, value]) => [key, value.toString()]),
  );
  const { path, linkpath, size } = pax;
  return {
    pax,
    // The chunk that it lies in is far larger.
    paxBytes: Buffer.from(paxBytes),
    ...(path && { name: path }),
    ...(linkpath && { linkname: linkpath }),
    ...(size && { size: Number(size) }),
  };
}

/** What an extension's bytes say of the next entry. */
const SAYS: Readonly<Record<TarExtension["extends"], (bytes: Buffer) => Partial<TarHeader>>> = {
  pax: paxSays,
  "global-pax": () => ({}),
  "long-name": (bytes) => ({ name: textOf(bytes) }),
  "long-link": (bytes) => ({ linkname: textOf(bytes) }),
};

function paddingOf(size: number): number {
  return (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES;
}

/**
 * Splits a tar into entries and their contents, chunk by chunk and without waiting: a stream for each entry costs more than the small files
 * that most archives are full of. Reads pax and GNU headers; ignores global pax headers, as dockerd does.
 */
export class TarReader {
  /** Parts of a header that is not whole yet, and their bytes. */
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  /** The extension whose bytes come now. */
  #extension: TarExtension | undefined;
  #content = 0;
  #padding = 0;
  /** What extensions say of the next entry. */
  #said: Partial<TarHeader> = {};

  /** The parts that end or begin in this chunk; contents share its memory. Throws `invalid` for what is no tar. */
  *read(chunk: Uint8Array): Generator<TarPart> {
    for (let at = 0; at < chunk.length; ) {
      const rest = chunk.subarray(at);
      if (this.#content > 0) {
        const bytes = rest.subarray(0, this.#content);
        this.#content -= bytes.length;
        at += bytes.length;
        yield bytes;
      } else if (this.#padding > 0) {
        const skipped = Math.min(this.#padding, rest.length);
        this.#padding -= skipped;
        at += skipped;
      } else {
        const wanted = this.#extension?.size ?? BLOCK_BYTES;
        const taken = rest.subarray(0, wanted - this.#heldBytes);
        at += taken.length;
        const whole = this.#gather(taken, wanted);
        const entry = whole === undefined ? undefined : this.#take(whole);
        if (entry !== undefined) yield entry;
      }
    }
  }

  /**
   * Throws `invalid` where the archive was cut off within a header or a file. Padding and the blocks at its end may be missing, as in Go's
   * reader: the Docker CLI sends one such for `docker build --file` with a file outside of the context.
   */
  end(): void {
    if (this.#content > 0 || this.#heldBytes > 0 || this.#extension !== undefined)
      throw invalidArchive("Unexpected end of data");
  }

  /** The bytes of a header once all are there. */
  #gather(bytes: Uint8Array, wanted: number): Buffer | undefined {
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#heldBytes < wanted) return undefined;
    const whole =
      this.#held.length === 1 ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    return whole;
  }

  #take(whole: Buffer): TarHeader | undefined {
    if (this.#extension !== undefined) {
      this.#extend(this.#extension, whole);
      return undefined;
    }
    const header = decodeHeader(whole);
    if (header === undefined) return undefined;
    if ("extends" in header) {
      if (!(header.size >= 0 && header.size <= MOST_EXTENSION_BYTES)) throw invalidArchive("Header exceeds max size");
      this.#extension = header;
      return undefined;
    }
    return this.#begin(header);
  }

  #extend({ extends: kind, size }: TarExtension, bytes: Buffer): void {
    this.#extension = undefined;
    this.#padding = paddingOf(size);
    this.#said = { ...this.#said, ...SAYS[kind](bytes) };
  }

  #begin(plain: TarHeader): TarHeader {
    const header = { ...plain, ...this.#said };
    this.#said = {};
    const size = HEADER_ONLY.has(header.type) ? 0 : header.size;
    if (!Number.isSafeInteger(size) || size < 0) throw invalidArchive("Invalid header");
    this.#content = size;
    this.#padding = paddingOf(size);
    return header;
  }
}

/** An entry with its content, which is read before the next entry is taken. What is left of it unread is skipped. */
export interface TarEntry {
  readonly header: TarHeader;
  readonly content: AsyncIterable<Uint8Array>;
}

async function* partsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TarPart> {
  const tar = new TarReader();
  for await (const chunk of bytes) yield* tar.read(chunk);
  tar.end();
}

/** The entries of a tar, one after the other. Throws `invalid` for what is no tar, and faults of the source as they are. */
export async function* tarEntries(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const parts = partsOf(bytes);
  let next = await parts.next();
  async function* content(): AsyncGenerator<Uint8Array> {
    for (next = await parts.next(); !next.done && next.value instanceof Uint8Array; next = await parts.next())
      yield next.value;
  }
  try {
    while (!next.done) {
      const { value } = next;
      if (value instanceof Uint8Array) next = await parts.next();
      else {
        const taken = next;
        yield { header: value, content: content() };
        if (next === taken) next = await parts.next();
      }
    }
  } finally {
    await parts.return(undefined);
  }
}
