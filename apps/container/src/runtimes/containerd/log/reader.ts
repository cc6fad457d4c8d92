import type { OutputChunk } from "../../../containers/records/runtime.ts";
import { createTurns } from "../../../engine/turns.ts";
import { isFull, type LogFile, type LogPosition, openLogFile } from "./files.ts";
import { parseRecord } from "./record.ts";
import type { FolderWatch } from "./watch.ts";

export interface Follow {
  /** Settles when nothing more will be written. */
  readonly ended: Promise<void>;
  readonly watch: FolderWatch;
}

/** Little enough that its lines are parsed and sent in some milliseconds. */
const BLOCK_BYTES = 1 << 16;

/** Shared by all readers: sixty that start at once would otherwise block every other request. */
const takeTurn = createTurns();

/**
 * The records of the log at `path` from a position on, across rotations, in the order they were written, block by block. Without `follow` it stops at the
 * current end of the log; with it, at the log's final end. It buffers one block at most, so a slow reader delays nobody.
 */
export async function* readLog(
  path: string,
  from: LogPosition,
  { follow, signal }: { readonly follow?: Follow | undefined; readonly signal?: AbortSignal | undefined } = {},
): AsyncGenerator<readonly OutputChunk[]> {
  const news = follow === undefined ? undefined : newsOf(follow, signal);
  let file: LogFile | undefined;
  try {
    let { sequence, offset } = from;
    const block = Buffer.alloc(BLOCK_BYTES);
    let pending = Buffer.alloc(0);
    while (!signal?.aborted) {
      // What is known before the file is read to its end holds for that end.
      const over = news?.take() !== "more";
      if (file === undefined) {
        file = await openLogFile(path, sequence);
        if (file !== undefined && file.sequence !== sequence)
          offset = file.sequence === from.sequence ? from.offset : 0;
      }
      const full = file !== undefined && (await isFull(path, file.handle));
      while (file !== undefined && !signal?.aborted) {
        const { bytesRead } = await file.handle.read(block, 0, BLOCK_BYTES, offset);
        if (bytesRead === 0) break;
        offset += bytesRead;
        await takeTurn();
        const data = Buffer.concat([pending, block.subarray(0, bytesRead)]);
        const end = data.lastIndexOf(0x0a) + 1;
        pending = data.subarray(end);
        const lines = data.toString("utf8", 0, end).split("\n");
        const records = lines.flatMap((line) => (line === "" ? [] : (parseRecord(line) ?? [])));
        if (records.length > 0) yield records;
      }
      if (file !== undefined && full) {
        await file.handle.close();
        sequence = file.sequence + 1;
        offset = 0;
        pending = Buffer.alloc(0);
        file = undefined;
        continue;
      }
      if (over) return;
      await news?.wait();
    }
  } finally {
    news?.stop();
    await file?.handle.close();
  }
}

/** Whether there can be more, and the wait for it. A change between two looks is not lost: it makes the next wait short. */
function newsOf({ ended, watch }: Follow, signal: AbortSignal | undefined) {
  let state: "more" | "over" = "more";
  let changed = false;
  let wake = () => {};
  const notice = () => {
    changed = true;
    wake();
  };
  ended.then(() => {
    state = "over";
    notice();
  });
  const stopListening = watch.listen(notice);
  signal?.addEventListener("abort", notice);
  return {
    take: () => {
      changed = false;
      return state;
    },
    wait: () =>
      new Promise<void>((resolve) => {
        wake = resolve;
        if (changed) resolve();
      }),
    stop: () => {
      stopListening();
      signal?.removeEventListener("abort", notice);
    },
  };
}
