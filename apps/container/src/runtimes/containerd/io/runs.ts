import { readHeldFifo } from "./fifos.ts";

/** One life of a container's process, from its start until its output is whole. */
export interface Run {
  readonly ended: Promise<void>;
}

/** Which run a reader of the log waits for, and when that is over. */
export interface Runs {
  /** A new run begins, over when `ended` settles. */
  begin(id: string, ended: Promise<void>): void;
  /** The current run, also one that an earlier service process began. */
  current(id: string): Promise<Run | undefined>;
  /** How many began here; a reader that came between two runs remembers it. */
  count(id: string): number;
  /** Run number `count` of `id`, which may still have to begin; aborts with the signal's reason. */
  awaitRun(id: string, count: number, signal: AbortSignal | undefined): Promise<Run>;
  forget(id: string): void;
}

interface Entry {
  count: number;
  run: Run | undefined;
  readonly waiting: Set<() => void>;
}

/** `alive` names the FIFO that a container's logger holds open as long as records can come. */
export function trackRuns(alive: (id: string) => string): Runs {
  const entries = new Map<string, Entry>();
  const entryOf = (id: string): Entry => {
    const known = entries.get(id) ?? { count: 0, run: undefined, waiting: new Set() };
    entries.set(id, known);
    return known;
  };

  const set = (entry: Entry, ended: Promise<void>): Run => {
    const run = { ended };
    entry.run = run;
    ended.then(() => {
      if (entry.run === run) entry.run = undefined;
    });
    return run;
  };

  const current = async (id: string): Promise<Run | undefined> => {
    const entry = entryOf(id);
    if (entry.run !== undefined || entry.count > 0) return entry.run;
    const found = await loggerRun(alive(id));
    return entry.run ?? (found === undefined ? undefined : set(entry, found.ended));
  };

  return {
    begin: (id, ended) => {
      const entry = entryOf(id);
      entry.count++;
      set(entry, ended);
      for (const wake of entry.waiting) wake();
    },
    current,
    count: (id) => entryOf(id).count,
    awaitRun: async (id, count, signal) => {
      const entry = entryOf(id);
      while (entry.count < count) {
        signal?.throwIfAborted();
        await new Promise<void>((resolve, reject) => {
          const done = (settle: () => void) => {
            entry.waiting.delete(wake);
            signal?.removeEventListener("abort", abort);
            settle();
          };
          const wake = () => done(resolve);
          const abort = () => done(() => reject(signal?.reason));
          entry.waiting.add(wake);
          signal?.addEventListener("abort", abort);
        });
      }
      // A later run has begun: this one is over.
      return (entry.count === count ? entry.run : undefined) ?? { ended: Promise.resolve() };
    },
    forget: (id) => {
      const entry = entries.get(id);
      entries.delete(id);
      // Releases those that wait for a start, which will not come.
      if (entry !== undefined) entry.count = Number.POSITIVE_INFINITY;
      for (const wake of entry?.waiting ?? []) wake();
    },
  };
}

/** The run of the logger behind `alive`, which ends with that logger in any way; undefined if the logger is gone. */
export async function loggerRun(alive: string): Promise<Run | undefined> {
  const fifo = await readHeldFifo(alive);
  if (fifo === undefined) return undefined;
  fifo.unref();
  fifo.resume();
  fifo.on("error", () => {});
  return { ended: new Promise((resolve) => fifo.once("close", () => resolve())) };
}

/** How long the log of a process that is gone may take to end: another process that has its output may hold it open. */
const LOG_END_MS = 15_000;

/** Settles when the run's log is whole, or takes too long to become so. */
export async function logEnd(run: Run | undefined): Promise<void> {
  if (run === undefined) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LOG_END_MS);
  });
  await Promise.race([run.ended, late]).finally(() => clearTimeout(timer));
}
