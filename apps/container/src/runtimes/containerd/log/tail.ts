import type { FileHandle } from "node:fs/promises";
import type { OutputChunk } from "../../../containers/records/runtime.ts";
import { LOG_START, type LogPosition, newestFirst } from "./files.ts";
import { endsLine, parseRecord } from "./record.ts";

const BLOCK_BYTES = 1 << 16;
const NEWLINE = 0x0a;

/**
 * The place from which the last `lines` lines of the log begin; read from its end, block by block, and no further than needed.
 * 0 is the end: behind the last whole record.
 */
export async function tailPosition(path: string, lines: number): Promise<LogPosition> {
  let ended = 0;
  let newer: OutputChunk["stream"] | undefined;
  let start: LogPosition | undefined;
  for await (const { sequence, handle } of newestFirst(path)) {
    try {
      for await (const { text, end } of recordsBackward(handle)) {
        start ??= { sequence, offset: end };
        if (lines === 0) return start;
        const record = parseRecord(text);
        if (record === undefined) continue;
        // A line that ends before the last record is one that begins behind it, and so is another stream's.
        const ends = newer !== undefined && (endsLine(record) || record.stream !== newer);
        if (ends && ++ended === lines) return { sequence, offset: end };
        newer = record.stream;
      }
      if (lines === 0) return { sequence, offset: 0 };
    } finally {
      await handle.close();
    }
  }
  return LOG_START;
}

/** The whole lines of a file from its end, each with the offset behind it. */
async function* recordsBackward(handle: FileHandle): AsyncGenerator<{ readonly text: string; readonly end: number }> {
  let position = (await handle.stat()).size;
  let pending = Buffer.alloc(0);
  let whole = false;
  while (position > 0) {
    const length = Math.min(BLOCK_BYTES, position);
    position -= length;
    const block = Buffer.alloc(length);
    await handle.read(block, 0, length, position);
    pending = Buffer.concat([block, pending]);
    for (let at = pending.lastIndexOf(NEWLINE); at >= 0; at = pending.lastIndexOf(NEWLINE)) {
      // What comes behind the last newline is a record that is being written.
      if (whole) yield { text: pending.toString("utf8", at + 1), end: position + pending.length + 1 };
      whole = true;
      pending = pending.subarray(0, at);
    }
  }
  if (whole) yield { text: pending.toString("utf8"), end: pending.length + 1 };
}
