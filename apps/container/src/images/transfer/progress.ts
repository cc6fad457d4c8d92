import type { Progress } from "../images.ts";

/** Receives the progress lines of a stream. */
export type Report = (line: Progress) => void;

/**
 * Runs `work` and yields its progress lines. An error becomes the last line, as in Docker's streams; leaving the loop aborts the work.
 * A slow reader does not block the work: a newer amount replaces an unread one.
 */
export async function* progressOf(
  work: (report: Report, signal: AbortSignal) => Promise<void>,
  options: { readonly signal: AbortSignal; readonly messageOf: (thrown: unknown) => string },
): AsyncGenerator<Progress> {
  const left = new AbortController();
  const signal = AbortSignal.any([options.signal, left.signal]);
  let lines: Progress[] = [];
  let wake = (): void => {};
  let running = true;
  const report: Report = (line) => {
    const last = lines.findIndex((other) => isAmountOf(other, line));
    if (last >= 0) lines[last] = line;
    else lines.push(line);
    wake();
  };
  const done = work(report, signal)
    .catch((thrown: unknown) => {
      if (left.signal.aborted) return;
      const message = options.messageOf(thrown);
      report({ errorDetail: { message }, error: message });
    })
    .finally(() => {
      running = false;
      wake();
    });
  try {
    while (running || lines.length > 0) {
      const ready = lines;
      lines = [];
      yield* ready;
      if (lines.length > 0 || !running) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    left.abort(new Error("the client left"));
    await done;
  }
}

function isAmountOf(older: Progress, newer: Progress): boolean {
  return newer.progressDetail?.total !== undefined && older.id === newer.id && older.status === newer.status;
}

const BAR_WIDTH = 50;
const UNITS = ["B", "kB", "MB", "GB", "TB", "PB"];

/** Formats bytes with Docker's four significant digits: `1.234kB`. */
export function humanSize(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1000 && unit < UNITS.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${Number(size.toPrecision(4))}${UNITS[unit]}`;
}

/** A progress line with the bar that clients without a terminal print. */
export function amountLine(id: string, status: string, current: number, total: number): Progress {
  const filled = total === 0 ? BAR_WIDTH : Math.min(BAR_WIDTH, Math.floor((current / total) * BAR_WIDTH));
  const bar = `[${"=".repeat(filled)}>${" ".repeat(BAR_WIDTH - filled)}]`;
  const amounts = `${humanSize(current).padStart(8)}/${humanSize(total)}`;
  return { id, status, progressDetail: { current, total }, progress: `${bar} ${amounts}` };
}

const STEP_BYTES = 512 << 10;

/** Passes bytes through and reports the running total every 512 KiB and at the end. */
export async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  report: (current: number) => void,
): AsyncGenerator<Uint8Array> {
  let current = 0;
  let reported = -STEP_BYTES;
  for await (const chunk of bytes) {
    yield chunk;
    current += chunk.length;
    if (current - reported >= STEP_BYTES) {
      reported = current;
      report(current);
    }
  }
  if (current !== reported) report(current);
}
