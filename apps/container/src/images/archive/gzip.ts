import { Readable } from "node:stream";
import { promisify } from "node:util";
import { constants, createGzip, deflateRaw } from "node:zlib";

const compress = promisify(deflateRaw);

/** Of this much of each piece it is tried what compression gains. */
const SAMPLE_BYTES = 32 << 10;
/** What does not get smaller than this part of itself is stored as it is: compressing it takes thirty times as long, for nothing. */
const WORTH_IT = 0.95;
const OUTPUT_BYTES = 1 << 18;

/**
 * Compresses bytes as gzip. Pieces that are compressed already, as in archives and media, are only stored: each run of pieces that are
 * compressed or stored is a member of its own (RFC 1952, section 2.2).
 * @param pieces each of about a mebibyte, as files are read
 */
export async function* gzipped(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const iterator = leveled(pieces);
  let next = await iterator.next();
  try {
    do {
      const { level } = next.value ?? STORED;
      async function* member(): AsyncGenerator<Buffer> {
        for (; !next.done && next.value.level === level; next = await iterator.next()) yield next.value.piece;
      }
      yield* gzipMember(member(), level);
    } while (!next.done);
  } finally {
    await iterator.return(undefined);
  }
}

const STORED = { level: constants.Z_NO_COMPRESSION };
const COMPRESSED = { level: constants.Z_DEFAULT_COMPRESSION };

async function* leveled(
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<{ readonly piece: Buffer; readonly level: number }, undefined> {
  for await (const piece of pieces) yield { piece, ...((await isWorthIt(piece)) ? COMPRESSED : STORED) };
}

async function* gzipMember(pieces: AsyncIterable<Buffer>, level: number): AsyncGenerator<Buffer> {
  const source = Readable.from(pieces);
  const gzip = createGzip({ level, chunkSize: OUTPUT_BYTES });
  source.once("error", (error) => gzip.destroy(error));
  try {
    yield* source.pipe(gzip) as AsyncIterable<Buffer>;
  } finally {
    source.destroy();
    gzip.destroy();
  }
}

/** Judges a piece by the bytes in its middle. */
async function isWorthIt(piece: Buffer): Promise<boolean> {
  const start = Math.max(0, (piece.length - SAMPLE_BYTES) >> 1);
  const sample = piece.subarray(start, start + SAMPLE_BYTES);
  const { length } = await compress(sample, { level: constants.Z_BEST_SPEED });
  return length < WORTH_IT * sample.length;
}
