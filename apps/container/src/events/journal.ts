import { passesFilters } from "./event-filters.ts";
import type { EngineEvent, EventSink, EventSource } from "./events.ts";

/** About a hundred bytes each: enough for hours of a busy host, and never more memory than some tens of megabytes. */
const DEFAULT_CAPACITY = 65_536;

export interface JournalOptions {
  /** How many events are kept. */
  readonly capacity?: number;
  /** Nanoseconds since the epoch; the process's clock where absent. */
  readonly now?: () => bigint;
}

/** Tells a reader that events are missing between what it read and what comes. */
function cut(time: bigint, reason: string): EngineEvent {
  return {
    type: "daemon",
    action: "events-cut",
    actor: { id: "", attributes: { reason } },
    owner: undefined,
    time,
  };
}

function processClock(): bigint {
  return BigInt(Date.now()) * 1_000_000n + (process.hrtime.bigint() % 1_000_000n);
}

/**
 * The events of this run of the service, in memory. Readers share one ring and only remember how far they came: a reader
 * that the ring overtakes is told so by an `events-cut` event and ended, and costs nobody else anything.
 */
export function createJournal({
  capacity = DEFAULT_CAPACITY,
  now = processClock,
}: JournalOptions = {}): EventSink & EventSource {
  const ring: EngineEvent[] = [];
  /** Of the next event; event `n` lies at `n % capacity`. */
  let next = 0;
  let last = 0n;
  let arrival = signalOnce();

  const oldest = (): number => Math.max(0, next - capacity);

  const emit: EventSink["emit"] = (event) => {
    // Strictly rising, so that `since` the time of the last one read gives neither twice nor a gap.
    const time = now();
    last = time > last ? time : last + 1n;
    ring[next % capacity] = { ...event, time: last };
    next += 1;
    arrival.done();
    arrival = signalOnce();
  };

  async function* readFrom(
    start: number,
    { since, until, filters, sees, signal }: Parameters<EventSource["read"]>[0],
  ): AsyncGenerator<EngineEvent> {
    let at = start;
    const first = ring[start % capacity];
    if (since !== undefined && start > 0 && first !== undefined && since < first.time) {
      yield cut(first.time, "older events are no longer kept");
    }
    const stop = deadline(until, now, signal);
    try {
      while (true) {
        while (at < next) {
          if (at < oldest()) {
            yield cut(last, "this reader was too slow");
            return;
          }
          const event = ring[at % capacity];
          at += 1;
          if (event === undefined || (since !== undefined && event.time < since)) continue;
          if (until !== undefined && event.time > until) return;
          if (signal.aborted) return;
          if (sees(event) && passesFilters(filters, event)) yield event;
        }
        if (stop.reached()) return;
        await Promise.race([arrival.promise, stop.promise]);
      }
    } finally {
      stop.clear();
    }
  }

  return {
    emit,
    // Where to begin is settled now, not when the first event is asked for: nothing falls between.
    read: (options) => readFrom(options.since === undefined ? next : oldest(), options),
  };
}

function signalOnce(): { readonly promise: Promise<void>; readonly done: () => void } {
  let done: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    done = resolve;
  });
  return { promise, done };
}

/** Settles when the reader has to stop: `until` is there, or it has left. */
function deadline(until: bigint | undefined, now: () => bigint, signal: AbortSignal) {
  const { promise, done } = signalOnce();
  let over = signal.aborted || (until !== undefined && now() >= until);
  const stop = (): void => {
    over = true;
    done();
  };
  const left = until === undefined || over ? undefined : Number((until - now()) / 1_000_000n) + 1;
  // A timer holds no more than 2^31 ms; so far away is as good as never.
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
