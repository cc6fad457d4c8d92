import { promisify } from "node:util";
import { constants, createGzip, deflateRaw } from "node:zlib";
import { through } from "./through.ts";

const compress = promisify(deflateRaw);

/** How much of each piece is compressed to see what compression gains. */
const SAMPLE_BYTES = 32 << 10;
/** A piece whose sample keeps this part of its size is stored: to compress it takes thirty times as long and gains nothing. */
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
      yield* through(member(), createGzip({ level, chunkSize: OUTPUT_BYTES }));
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

/** Judges a piece by the bytes in its middle. */
async function isWorthIt(piece: Buffer): Promise<boolean> {
  const start = Math.max(0, (piece.length - SAMPLE_BYTES) >> 1);
  const sample = piece.subarray(start, start + SAMPLE_BYTES);
  const { length } = await compress(sample, { level: constants.Z_BEST_SPEED });
  return length < WORTH_IT * sample.length;
}
