import type { OutputChunk } from "../../../containers/records/runtime.ts";
import { iterate } from "../../../engine/concurrency/iterate.ts";
import { createTurns } from "../../../engine/concurrency/turns.ts";
import { isFull, type LogFile, type LogPosition, openLogFile } from "./files.ts";
import { parseRecords } from "./record.ts";
import type { FolderWatch } from "./watch.ts";

export interface Follow {
  /** Settles when nothing more will be written. */
  readonly ended: Promise<void>;
  readonly watch: FolderWatch;
}

/** Little enough that its lines are parsed and sent in some milliseconds. */
const BLOCK_BYTES = 1 << 17;

/** Shared by all readers: sixty that start at once would otherwise block every other request. */
const takeTurn = createTurns();

interface ReadOptions {
  readonly follow?: Follow | undefined;
  readonly signal?: AbortSignal | undefined;
  /** In the records' form: a block with a later record is the last. */
  readonly until?: string | undefined;
}

/**
 * The records of the log at `path` from a position on, across rotations, in the order they were written, block by block. Without `follow` it stops at the
 * current end of the log; with it, at the log's final end. A slow reader delays nobody, and nothing is kept for it.
 */
export function readLog(
  path: string,
  from: LogPosition,
  options: ReadOptions = {},
): AsyncIterableIterator<readonly OutputChunk[]> {
  const reading = new Reading(path, from, options);
  return iterate(
    () => reading.next(),
    () => reading.close(),
  );
}

/** Blocks to read into that nobody uses. A new one for each read would be garbage that the collector hears of by its size. */
const BLOCKS: Buffer[] = [];

class Reading {
  readonly #path: string;
  readonly #from: LogPosition;
  readonly #options: ReadOptions;
  readonly #news: ReturnType<typeof newsOf> | undefined;
  #sequence: number;
  #offset: number;
  #file: LogFile | undefined;
  /** The begin of a line whose rest is in the next block. */
  #pending = Buffer.alloc(0);
  /** What was known before the file is read to its end, and holds for that end. */
  #known: { readonly isOver: boolean; readonly isFull: boolean } | undefined;
  #isLast = false;
  /** The last read reached the end of the file as it was then. */
  #isRead = false;

  constructor(path: string, from: LogPosition, options: ReadOptions) {
    this.#path = path;
    this.#from = from;
    this.#options = options;
    this.#sequence = from.sequence;
    this.#offset = from.offset;
    this.#news = options.follow === undefined ? undefined : newsOf(options.follow, options.signal);
  }

  /** The next records, at least one; undefined at the end. */
  async next(): Promise<readonly OutputChunk[] | undefined> {
    const { signal } = this.#options;
    while (!signal?.aborted && !this.#isLast) {
      this.#known ??= await this.#look();
      const records = await this.#readOn();
      if (records !== undefined) return records;
      if (signal?.aborted) return undefined;
      const { isOver, isFull } = this.#known;
      this.#known = undefined;
      if (this.#file !== undefined && isFull) await this.#leaveFile(this.#file);
      else if (isOver) return undefined;
      else await this.#news?.wait();
    }
    return undefined;
  }

  async close(): Promise<void> {
    this.#news?.stop();
    await this.#file?.handle.close();
  }

  async #look() {
    const isOver = this.#news?.take() !== "more";
    if (this.#file === undefined) await this.#openFile();
    return { isOver, isFull: this.#file !== undefined && (await isFull(this.#path, this.#file)) };
  }

  async #openFile(): Promise<void> {
    this.#file = await openLogFile(this.#path, this.#sequence);
    if (this.#file === undefined || this.#file.sequence === this.#sequence) return;
    this.#offset = this.#file.sequence === this.#from.sequence ? this.#from.offset : 0;
  }

  async #leaveFile({ sequence, handle }: LogFile): Promise<void> {
    this.#file = undefined;
    this.#sequence = sequence + 1;
    this.#offset = 0;
    this.#pending = Buffer.alloc(0);
    await handle.close();
  }

  /** The records of the next block that has any; undefined at the present end of the file. */
  async #readOn(): Promise<readonly OutputChunk[] | undefined> {
    while (this.#file !== undefined && !this.#isRead && !this.#options.signal?.aborted) {
      const block = BLOCKS.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
      try {
        const { bytesRead } = await this.#file.handle.read(block, 0, BLOCK_BYTES, this.#offset);
        this.#isRead = bytesRead < BLOCK_BYTES;
        if (bytesRead === 0) break;
        this.#offset += bytesRead;
        await takeTurn();
        const records = this.#recordsOf(block.subarray(0, bytesRead));
        if (records.length > 0) return records;
      } finally {
        BLOCKS.push(block);
      }
    }
    this.#isRead = false;
    return undefined;
  }

  #recordsOf(block: Buffer): readonly OutputChunk[] {
    const { until } = this.#options;
    const end = block.lastIndexOf(0x0a) + 1;
    const whole = block.subarray(0, end);
    const data = this.#pending.length > 0 && end > 0 ? Buffer.concat([this.#pending, whole]) : whole;
    // Copied: the block is read into again.
    const rest = block.subarray(end);
    this.#pending = end > 0 ? Buffer.from(rest) : Buffer.concat([this.#pending, rest]);
    const records = parseRecords(data);
    this.#isLast = until !== undefined && records.some(({ time }) => time > until);
    return records;
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
