import { type FileHandle, mkdir, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { KeyedLock } from "../../engine/concurrency/keyed-lock.ts";
import { runProgram } from "../../host/run-program.ts";

/** Beside the cache's content; it holds the boot in which the cache is written. */
const MARK = "unsynced";
/** By then the kernel has written most by itself. */
const SYNC_AFTER_MS = 60_000;
const SYNC_MS = 300_000;

/**
 * Who writes caches. Their syncs do nothing (`native/builder`), so a loss of power may leave a cache with files that are empty. A mark says so
 * from before the first write until the cache was synced as a whole, a while after the last: a cache that another boot marked is not trusted.
 */
export class CacheWriters {
  readonly #lock = new KeyedLock<string>();
  readonly #counts = new Map<string, number>();
  readonly #timers = new Map<string, NodeJS.Timeout>();

  /** Runs `write` on a cache; first `giveUp` where what is there may be damaged. */
  async write<T>(cache: string, giveUp: () => Promise<void>, write: () => Promise<T>): Promise<T> {
    await this.#lock.hold(cache, () => this.#begin(cache, giveUp));
    try {
      return await write();
    } finally {
      this.#end(cache);
    }
  }

  async #begin(cache: string, giveUp: () => Promise<void>): Promise<void> {
    const count = this.#counts.get(cache) ?? 0;
    if (count === 0) {
      clearTimeout(this.#timers.get(cache));
      const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
      const marked = await readFile(join(cache, MARK), "utf8").catch(() => undefined);
      if (marked !== undefined && marked !== boot) await giveUp();
      if (marked !== boot) await mark(cache, boot);
    }
    this.#counts.set(cache, count + 1);
  }

  #end(cache: string): void {
    const left = (this.#counts.get(cache) ?? 1) - 1;
    if (left > 0) {
      this.#counts.set(cache, left);
      return;
    }
    this.#counts.delete(cache);
    const timer = setTimeout(() => void this.#lock.hold(cache, () => this.#sync(cache)), SYNC_AFTER_MS).unref();
    this.#timers.set(cache, timer);
  }

  /** A mark that stays costs the cache at a loss of power, and nothing else. */
  async #sync(cache: string): Promise<void> {
    if (this.#counts.has(cache)) return;
    this.#timers.delete(cache);
    await runProgram("sync", ["--file-system", cache], { timeout: SYNC_MS })
      .then(() => rm(join(cache, MARK)))
      .catch(() => undefined);
  }
}

async function mark(cache: string, boot: string): Promise<void> {
  await mkdir(cache, { recursive: true, mode: 0o700 });
  await synced(join(cache, MARK), "w", (file) => file.writeFile(boot));
  await synced(cache, "r");
}

async function synced(path: string, flags: string, change?: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await change?.(file);
    await file.sync();
  } finally {
    await file.close();
  }
}
