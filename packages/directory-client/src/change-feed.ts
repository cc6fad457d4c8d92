import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { Connection } from "./request.ts";

interface Listener {
  /** A user changed, or, without an id, any user may have changed. */
  changed(userId: number | undefined): void;
  /** Whether changes arrive from now on. */
  connected(state: { readonly isConnected: boolean }): void;
}

// The pause after a lost connection: short, since little is cached until then, and doubled while the connection stays lost.
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
// The directory sends a sign of life every 15 seconds: after twice that without one, the connection is dead.
const SILENCE_MS = 30_000;

/** Follows the directory's events until stopped, and reconnects. Each connection begins with the event `all`, which covers any gap. */
export function followChanges(
  connection: Connection & { readonly timeout: number },
  token: string,
  listener: Listener,
): { stop(): Promise<void> } {
  const abort = new AbortController();
  async function run(): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; !abort.signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const hadEvents = await readEvents(connection, token, listener, abort.signal).catch(() => false);
      listener.connected({ isConnected: false });
      if (hadEvents) pause = FIRST_PAUSE_MS;
      await sleep(pause, abort.signal);
    }
  }
  const running = run();
  return {
    async stop() {
      abort.abort();
      await running;
    },
  };
}

/** Reads one connection to its end; true when an event arrived. */
async function readEvents(
  connection: Connection & { readonly timeout: number },
  token: string,
  listener: Listener,
  signal: AbortSignal,
): Promise<boolean> {
  const watch = new AbortController();
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  function end(): void {
    watch.abort();
    // Node 20 forgets a request's signal once nothing else refers to the request.
    reader?.cancel().catch(() => {});
  }
  signal.addEventListener("abort", end);
  let silence = setTimeout(end, connection.timeout);
  let hadEvents = false;
  const parser = createParser({
    onEvent(event) {
      if (!hadEvents) listener.connected({ isConnected: true });
      hadEvents = true;
      listener.changed(userOf(event));
    },
  });
  try {
    const response = await connection.fetch(new URL("/api/events", connection.url), {
      headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
      redirect: "error",
      signal: watch.signal,
    });
    if (response.status !== 200 || response.body === null) return false;
    const decoder = new TextDecoder();
    reader = response.body.getReader();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      clearTimeout(silence);
      silence = setTimeout(end, SILENCE_MS);
      parser.feed(decoder.decode(chunk.value, { stream: true }));
    }
    return hadEvents;
  } finally {
    clearTimeout(silence);
    signal.removeEventListener("abort", end);
    end();
  }
}

/** The user that an event is about. A change of a group may concern any user, since the client does not know its members. */
function userOf({ event, data }: EventSourceMessage): number | undefined {
  return event === "user" && /^\d+$/.test(data) ? Number(data) : undefined;
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    if (signal.aborted) done();
    else signal.addEventListener("abort", done);
  });
}
