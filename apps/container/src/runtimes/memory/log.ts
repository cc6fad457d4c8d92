import type { Output, OutputChunk, OutputOptions, OutputPosition } from "../../containers/records/runtime.ts";

/** A container's log in memory, and the runs that write it. */
export interface MemoryLog {
  begin(): void;
  write(stream: "stdout" | "stderr", data: string | Buffer): void;
  /** The run is over, its output whole. */
  end(): void;
  read(options: OutputOptions): Output<OutputChunk>;
  position(): OutputPosition;
}

function timeOf(date: Date): string {
  return date.toISOString().replace("Z", "000000Z");
}

export function memoryLog(): MemoryLog {
  const chunks: OutputChunk[] = [];
  const waiting = new Set<() => void>();
  let run = 0;
  let running = false;
  const wake = () => {
    for (const listener of waiting) listener();
  };
  const change = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve) => {
      const done = () => {
        waiting.delete(done);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      waiting.add(done);
      signal?.addEventListener("abort", done);
    });

  const lastLines = (count: number): number => {
    let start = chunks.length;
    for (let seen = 0; start > 0; start--) {
      // A chunk that ends a line before the last one begins a new line behind it, and so does another stream's.
      const older = chunks[start - 1];
      const ends = older?.data.at(-1) === 0x0a || older?.stream !== chunks[start]?.stream;
      if (start === chunks.length ? count === 0 : ends && ++seen === count) break;
    }
    return start;
  };

  return {
    begin: () => {
      run++;
      running = true;
      wake();
    },
    write: (stream, data) => {
      for (const line of String(data).match(/[^\n]*\n|[^\n]+$/g) ?? []) {
        chunks.push({ stream, time: timeOf(new Date()), data: Buffer.from(line) });
      }
      wake();
    },
    end: () => {
      running = false;
      wake();
    },
    position: () => `${chunks.length}:${running ? run : run + 1}` as OutputPosition,
    read: async function* ({ stdout, stderr, follow, from, tail, since, until, signal }) {
      const [start = 0, wanted = running ? run : 0] = from?.split(":").map(Number) ?? [];
      let next = from !== undefined ? start : tail === undefined ? 0 : lastLines(tail);
      while (!signal?.aborted) {
        const chunk = chunks[next];
        if (chunk !== undefined) {
          next++;
          const time = Date.parse(chunk.time);
          if (until !== undefined && time > Date.parse(until)) return;
          if (since !== undefined && time < Date.parse(since)) continue;
          if (chunk.stream === "stdout" ? stdout : stderr) yield [chunk];
          continue;
        }
        if (!follow || run > wanted || (run === wanted && !running)) return;
        await change(signal);
      }
    },
  };
}
