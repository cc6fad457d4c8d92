import { access } from "node:fs/promises";
import type { Output, OutputChunk, OutputOptions, OutputPosition } from "../../../containers/records/runtime.ts";
import { iterate, mapped, opened } from "../../../engine/concurrency/iterate.ts";
import type { ContainerId } from "../../../engine/ids.ts";
import { LOG_START, type LogPosition } from "../log/files.ts";
import { readLog } from "../log/reader.ts";
import { recordTime } from "../log/record.ts";
import { tailPosition } from "../log/tail.ts";
import { folderWatches } from "../log/watch.ts";
import type { Places } from "./places.ts";
import type { Run, Runs } from "./runs.ts";

/** What the log and the run say together. */
export interface Outputs {
  read(id: ContainerId, options: OutputOptions): Output<OutputChunk>;
  end(id: ContainerId): Promise<OutputPosition>;
}

/** A place in the log, and the run that a reader from there belongs to. */
function formatPosition({ sequence, offset }: LogPosition, run: number): OutputPosition {
  return `${sequence}:${offset}:${run}` as OutputPosition;
}

function parsePosition(position: OutputPosition): { readonly place: LogPosition; readonly run: number } {
  const [sequence = 0, offset = 0, run = 0] = position.split(":").map(Number);
  return { place: { sequence, offset }, run };
}

/** A reader that left gets no error. */
function quietAfter<Item>(signal: AbortSignal | undefined, items: AsyncIterableIterator<Item>): AsyncIterable<Item> {
  return iterate(
    async () => {
      try {
        const { done, value } = await items.next();
        return done ? undefined : value;
      } catch (thrown) {
        if (signal?.aborted) return undefined;
        throw thrown;
      }
    },
    () => items.return?.(),
  );
}

export function outputsOf(places: Places, runs: Runs): Outputs {
  const watchOf = folderWatches();

  /** The run to follow; undefined if there is none and the reader does not wait for one. */
  const runOf = async (id: ContainerId, { from, signal }: OutputOptions): Promise<Run | undefined> => {
    if (from === undefined) return await runs.current(id);
    const run = runs.awaitRun(id, parsePosition(from).run, signal);
    run.catch(() => {});
    // Asked after the waiting began: a container removed since then has let it go, and one removed before never runs.
    const there = await access(places.container(id)).then(
      () => true,
      () => false,
    );
    return there ? await run : undefined;
  };

  return {
    end: async (id) => {
      // Before the place, so that the output of a run that begins in between comes after it.
      const run = (await runs.current(id)) === undefined ? runs.count(id) + 1 : runs.count(id);
      return formatPosition(await tailPosition(places.log(id), 0), run);
    },
    read: (id, options) => {
      const { stdout, stderr, tail, signal } = options;
      const since = options.since === undefined ? "" : recordTime(options.since);
      const until = options.until === undefined ? undefined : recordTime(options.until);
      const isWanted = ({ time, stream }: OutputChunk) =>
        time >= since && (until === undefined || time <= until) && (stream === "stdout" ? stdout : stderr);
      const path = places.log(id);
      const open = async () => {
        const run = options.follow ? await runOf(id, options) : undefined;
        const from =
          options.from !== undefined
            ? parsePosition(options.from).place
            : tail === undefined
              ? LOG_START
              : await tailPosition(path, tail);
        const follow = run && { ended: run.ended, watch: watchOf(places.container(id)) };
        return mapped(readLog(path, from, { follow, signal, until }), (chunks) => {
          const wanted = chunks.filter(isWanted);
          return wanted.length > 0 ? wanted : undefined;
        });
      };
      return quietAfter(signal, opened(open));
    },
  };
}
