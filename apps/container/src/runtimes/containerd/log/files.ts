import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";

/**
 * A place in a log. The logger numbers its files: what is `PATH` now becomes `PATH.SEQ` when it is full, with the number after
 * the last, and is deleted some day. A number never means another file, so that a place stays true through rotation.
 */
export interface LogPosition {
  readonly sequence: number;
  /** Bytes. */
  readonly offset: number;
}

export const LOG_START: LogPosition = { sequence: 0, offset: 0 };

export interface LogFile {
  readonly sequence: number;
  readonly handle: FileHandle;
  readonly inode: number;
}

/** The numbers of the full files that are still there, ascending. */
async function fullFiles(path: string): Promise<readonly number[]> {
  const prefix = `${basename(path)}.`;
  const names = await readdir(dirname(path)).catch(() => [] as string[]);
  return names
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)))
    .sort((a, b) => a - b);
}

async function openIfThere(path: string): Promise<Omit<LogFile, "sequence"> | undefined> {
  try {
    const handle = await open(path);
    return { handle, inode: (await handle.stat()).ino };
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT") return undefined;
    throw thrown;
  }
}

/** The first existing file from `sequence` on; undefined if there is no log yet. */
export async function openLogFile(path: string, sequence: number): Promise<LogFile | undefined> {
  for (;;) {
    const full = await fullFiles(path);
    const found = full.find((number) => number >= sequence);
    if (found !== undefined) {
      const file = await openIfThere(`${path}.${found}`);
      if (file !== undefined) return { sequence: found, ...file };
      continue;
    }
    const current = (full.at(-1) ?? 0) + 1;
    const file = await openIfThere(path);
    if (file !== undefined && !(await isFull(path, file))) return { sequence: current, ...file };
    await file?.handle.close();
    // Between the two renames of a rotation there is no current file.
    if (file === undefined && (await fullFiles(path)).length === full.length) return undefined;
  }
}

/** Whether the file is no longer the one that is written to. */
export async function isFull(path: string, { inode }: Pick<LogFile, "inode">): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.ino !== inode;
}

/** All files from the newest to the oldest, each opened when it is its turn; the caller closes them. */
export async function* newestFirst(path: string): AsyncGenerator<LogFile> {
  const newest = await openLogFile(path, Number.MAX_SAFE_INTEGER);
  if (newest === undefined) return;
  yield newest;
  const older = (await fullFiles(path)).filter((number) => number < newest.sequence);
  for (const sequence of older.reverse()) {
    const file = await openIfThere(`${path}.${sequence}`);
    if (file !== undefined) yield { sequence, ...file };
  }
}
