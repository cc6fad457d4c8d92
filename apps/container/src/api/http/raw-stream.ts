import { mapped } from "../../engine/concurrency/iterate.ts";

/** The Content-Type of raw and multiplexed streams before API 1.42. */
export const RAW_STREAM_TYPE = "application/vnd.docker.raw-stream";

/** The Content-Type of multiplexed streams since API 1.42. */
export const MULTIPLEXED_STREAM_TYPE = "application/vnd.docker.multiplexed-stream";

const STREAM_NUMBER = { stdout: 1, stderr: 2 } as const;

/** Length of a frame header: stream, three zeros, big-endian length. */
const HEADER_BYTES = 8;

/** What a program wrote to one of its streams. */
interface Written {
  readonly stream: keyof typeof STREAM_NUMBER;
  readonly data: Uint8Array;
}

/** The frames of a multiplexed stream, one for each chunk. */
export function frames(chunks: readonly Written[]): Buffer {
  const framed = Buffer.allocUnsafe(chunks.reduce((sum, { data }) => sum + HEADER_BYTES + data.byteLength, 0));
  let at = 0;
  for (const { stream, data } of chunks) {
    framed.writeUInt32BE(STREAM_NUMBER[stream] * 0x1000000, at);
    framed.writeUInt32BE(data.byteLength, at + 4);
    framed.set(data, at + HEADER_BYTES);
    at += HEADER_BYTES + data.byteLength;
  }
  return framed;
}

/** Encodes output for the client: raw with a terminal, framed without. */
export function encodeOutput(
  output: AsyncIterable<readonly Written[]>,
  { terminal }: { readonly terminal: boolean },
): AsyncIterable<Uint8Array> {
  return mapped(output, (chunks) => {
    const full = chunks.filter(({ data }) => data.byteLength > 0);
    if (full.length === 0) return undefined;
    return terminal ? Buffer.concat(full.map(({ data }) => data)) : frames(full);
  });
}
