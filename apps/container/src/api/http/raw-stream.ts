/** The Content-Type of raw and multiplexed streams before API 1.42. */
export const RAW_STREAM_TYPE = "application/vnd.docker.raw-stream";

/** The Content-Type of multiplexed streams since API 1.42. */
export const MULTIPLEXED_STREAM_TYPE = "application/vnd.docker.multiplexed-stream";

const STREAM_NUMBER = { stdout: 1, stderr: 2 } as const;

/** Length of a frame header: stream, three zeros, big-endian length. */
const HEADER_BYTES = 8;

/** One frame of a multiplexed stream. */
export function frame(stream: keyof typeof STREAM_NUMBER, data: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(HEADER_BYTES + data.byteLength);
  framed.writeUInt32BE(STREAM_NUMBER[stream] * 0x1000000, 0);
  framed.writeUInt32BE(data.byteLength, 4);
  framed.set(data, HEADER_BYTES);
  return framed;
}

/** Encodes output for the client: raw with a terminal, framed without. */
export async function* encodeOutput(
  output: AsyncIterable<{ readonly stream: "stdout" | "stderr"; readonly data: Uint8Array }>,
  { terminal }: { readonly terminal: boolean },
): AsyncGenerator<Uint8Array> {
  for await (const { stream, data } of output) {
    if (data.byteLength > 0) yield terminal ? data : frame(stream, data);
  }
}
