import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { EngineError } from "../../engine/errors.ts";
import { through } from "./through.ts";

export type Compression = "none" | "gzip" | "zstd" | "bzip2" | "xz";

const SIGNATURES: readonly { readonly compression: Compression; readonly bytes: readonly number[] }[] = [
  { compression: "gzip", bytes: [0x1f, 0x8b, 0x08] },
  { compression: "zstd", bytes: [0x28, 0xb5, 0x2f, 0xfd] },
  { compression: "bzip2", bytes: [0x42, 0x5a, 0x68] },
  { compression: "xz", bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00] },
];

/** How many bytes `compressionOf` needs. */
const HEAD_BYTES = 6;

/** Detects the compression from the first bytes of a file, as Docker does. */
export function compressionOf(head: Uint8Array): Compression {
  return SIGNATURES.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte))?.compression ?? "none";
}

/** Detects the compression of a stream and returns it with the whole stream. */
export async function peek(
  source: AsyncIterable<Uint8Array>,
): Promise<{ readonly compression: Compression; readonly bytes: AsyncIterable<Uint8Array> }> {
  const iterator = source[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  let length = 0;
  while (length < HEAD_BYTES) {
    const { value, done } = await iterator.next();
    if (done) break;
    seen.push(value);
    length += value.length;
  }
  const compression = compressionOf(Buffer.concat(seen));
  // No generator: every chunk would wait for one more promise.
  const bytes: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => bytes,
    next: () => {
      const value = seen.shift();
      return value === undefined ? iterator.next() : Promise.resolve({ done: false, value });
    },
    return: async () => {
      seen.length = 0;
      return (await iterator.return?.()) ?? { done: true, value: undefined };
    },
  };
  return { compression, bytes };
}

/** Decompresses gzip, zstd, bzip2 and xz by their first bytes; other data passes unchanged. */
export async function decompress(source: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const { compression, bytes } = await peek(source);
  switch (compression) {
    case "none":
      return bytes;
    case "gzip":
      return gunzip(bytes);
    default:
      return unpackWith(compression, bytes);
  }
}

async function* gunzip(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* through(bytes, createGunzip());
  } catch (thrown) {
    throw isZlibFault(thrown) ? new EngineError("invalid", `gzip: ${thrown.message}`, { cause: thrown }) : thrown;
  }
}

function isZlibFault(thrown: unknown): thrown is Error {
  return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" && /^Z_/.test(thrown.code);
}

/** Decompresses with the host's programs, since Node has no decoder for these. The process ends with the stream. */
async function* unpackWith(
  program: "zstd" | "bzip2" | "xz",
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const child = spawn(program, ["-dcq"], { stdio: ["pipe", "pipe", "pipe"] });
  const source = Readable.from(bytes);
  let sourceFault: unknown;
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(0, 512);
  });
  child.stdin.on("error", () => {}); // it ended early: its exit code says why
  source.on("error", (error) => {
    sourceFault = error;
    child.kill("SIGKILL");
  });
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once("error", (error) =>
      reject(
        "code" in error && error.code === "ENOENT"
          ? new EngineError(
              "invalid",
              `the archive is compressed with ${program}, and this host has no ${program} program to unpack it`,
            )
          : error,
      ),
    );
    child.once("close", resolve);
  });
  exit.catch(() => {}); // awaited below, after the output
  source.pipe(child.stdin);
  try {
    yield* child.stdout as AsyncIterable<Buffer>;
    const code = await exit;
    if (sourceFault !== undefined) throw sourceFault;
    if (code !== 0) throw new EngineError("invalid", `${program}: ${complaint.trim() || `ended with ${code}`}`);
  } finally {
    source.destroy();
    child.kill("SIGKILL");
  }
}
