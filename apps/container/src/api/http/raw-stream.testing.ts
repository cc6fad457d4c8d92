/** Decodes multiplexed bytes into the text of each stream, however the frames were split into chunks. */
export function demultiplex(chunks: readonly Uint8Array[]): { readonly 1: string; readonly 2: string } {
  const bytes = Buffer.concat(chunks);
  const streams: Record<number, Buffer[]> = { 0: [], 1: [], 2: [] };
  let at = 0;
  while (at + 8 <= bytes.byteLength) {
    const length = bytes.readUInt32BE(at + 4);
    streams[bytes[at] ?? 0]?.push(bytes.subarray(at + 8, at + 8 + length));
    at += 8 + length;
  }
  return { 1: Buffer.concat(streams[1] ?? []).toString(), 2: Buffer.concat(streams[2] ?? []).toString() };
}
