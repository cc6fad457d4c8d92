import { orEnd } from "../engine/concurrency/or-end.ts";
import { createTurns } from "../engine/concurrency/turns.ts";
import { passesFilters } from "./event-filters.ts";
import type { EngineEvent, EventSink, EventSource } from "./events.ts";

/** About a hundred bytes each: hours of a busy host in at most some tens of megabytes. */
const DEFAULT_CAPACITY = 65_536;

/** An event carries its container's labels, which may be megabytes long. */
const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;

/** How many events a reader looks at before others have their turn, and how many it gets at once. */
const PIECE = 64;
const takeTurn = createTurns();

export interface JournalOptions {
  /** How many events to keep. */
  readonly capacity?: number;
  /** How many bytes of text to keep; the newest event is kept whatever its size. */
  readonly maxBytes?: number;
  /** Nanoseconds since the epoch; defaults to the process's clock. */
  readonly now?: () => bigint;
}

/** The event that tells a reader that events are missing before the next one. */
function cut(time: bigint, reason: string): EngineEvent {
  return {
    type: "daemon",
    action: "events-cut",
    actor: { id: "", attributes: { reason } },
    owner: undefined,
    time,
  };
}

/** About the bytes of an event's text in memory: two per character. */
function bytesOf({ action, actor }: Omit<EngineEvent, "time">): number {
  const texts = [action, actor.id, ...Object.entries(actor.attributes).flat()];
  return 2 * texts.reduce((length, text) => length + text.length, 0);
}

function processClock(): bigint {
  return BigInt(Date.now()) * 1_000_000n + (process.hrtime.bigint() % 1_000_000n);
}

/**
 * The events of this run of the service, in memory. Readers share one ring and each keep their position. A reader that the ring
 * overtakes gets an `events-cut` event and ends, without affecting the others.
 */
export function createJournal({
  capacity = DEFAULT_CAPACITY,
  maxBytes = DEFAULT_MAX_BYTES,
  now = processClock,
}: JournalOptions = {}): EventSink & EventSource {
  const ring: (EngineEvent | undefined)[] = [];
  /** The number of the next event; event `n` is at `n % capacity`. */
  let next = 0;
  /** The number of the oldest event that is kept. */
  let oldest = 0;
  let bytes = 0;
  let last = 0n;
  let arrival = signalOnce();

  const dropOldest = (): void => {
    const event = ring[oldest % capacity];
    if (event !== undefined) bytes -= bytesOf(event);
    ring[oldest % capacity] = undefined;
    oldest += 1;
  };

  const emit: EventSink["emit"] = (event) => {
    // Strictly increasing, so that `since` with the last time read yields neither duplicates nor gaps.
    const time = now();
    last = time > last ? time : last + 1n;
    if (next - oldest === capacity) dropOldest();
    ring[next % capacity] = { ...event, time: last };
    next += 1;
    bytes += bytesOf(event);
    while (bytes > maxBytes && next - oldest > 1) dropOldest();
    arrival.done();
    arrival = signalOnce();
  };

  async function* readFrom(
    start: number,
    { since, until, filters, sees, signal }: Parameters<EventSource["read"]>[0],
  ): AsyncGenerator<readonly EngineEvent[]> {
    let at = start;
    const first = ring[start % capacity];
    if (since !== undefined && start > 0 && first !== undefined && since < first.time) {
      yield [cut(first.time, "older events are no longer kept")];
    }
    const stop = deadline(until, now, signal);
    const orStop = orEnd(stop.promise);
    try {
      while (true) {
        if (at < oldest) {
          yield [cut(last, "this reader was too slow")];
          return;
        }
        const piece: EngineEvent[] = [];
        let isOver = false;
        for (let looked = 0; at < next && looked < PIECE && !isOver; looked++) {
          const event = ring[at % capacity];
          at += 1;
          if (event === undefined || (since !== undefined && event.time < since)) continue;
          isOver = until !== undefined && event.time > until;
          if (!isOver && sees(event) && passesFilters(filters, event)) piece.push(event);
        }
        if (signal.aborted) return;
        if (piece.length > 0) yield piece;
        if (isOver) return;
        if (at < next) await takeTurn();
        else if (stop.reached()) return;
        else await orStop(arrival.promise);
      }
    } finally {
      stop.clear();
    }
  }

  return {
    emit,
    // Fix the start position now instead of at the first read, so that no event is missed in between.
    read: (options) => readFrom(options.since === undefined ? next : oldest, options),
  };
}

function signalOnce(): { readonly promise: Promise<void>; readonly done: () => void } {
  let done: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    done = resolve;
  });
  return { promise, done };
}

/** Settles when the reader has to stop: `until` has passed or the client has disconnected. */
function deadline(until: bigint | undefined, now: () => bigint, signal: AbortSignal) {
  const { promise, done } = signalOnce();
  let over = signal.aborted || (until !== undefined && now() >= until);
  const stop = (): void => {
    over = true;
    done();
  };
  const left = until === undefined || over ? undefined : Number((until - now()) / 1_000_000n) + 1;
  // A timer holds at most 2^31 ms, and anything later is practically never.
  const timer = left === undefined || left > 2 ** 31 - 1 ? undefined : setTimeout(stop, Math.max(0, left));
  signal.addEventListener("abort", stop, { once: true });
  return {
    promise,
    reached: (): boolean => over,
    clear: (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    },
  };
}
