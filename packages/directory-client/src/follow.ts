import type { Connection as Requests } from "./request.ts";

type Connection = Required<Requests>;

export interface Listener {
  /** A user changed, or, without an id, anyone may have. */
  changed(userId: number | undefined): void;
  /** Whether changes are heard of from now on. */
  connected(state: { readonly isConnected: boolean }): void;
}

// The pause after a lost connection: short, since nothing is cached for long meanwhile, and doubled while it stays lost.
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
// The directory sends a sign of life every 15 seconds: twice that without one and the connection is dead.
const SILENCE_MS = 30_000;

/** Follows the directory's events until stopped; every connection begins with `all`, so that no gap goes unnoticed. */
export function follow(connection: Connection, token: string, listener: Listener): { stop(): Promise<void> } {
  const abort = new AbortController();
  const run = async () => {
    for (let pause = FIRST_PAUSE_MS; !abort.signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const heard = await listen(connection, token, listener, abort.signal).catch(() => false);
      listener.connected({ isConnected: false });
      if (heard) pause = FIRST_PAUSE_MS;
      await sleep(pause, abort.signal);
    }
  };
  const running = run();
  return {
    async stop() {
      abort.abort();
      await running;
    },
  };
}

/** Reads one connection to its end; true when it told of anything. */
async function listen(
  connection: Connection,
  token: string,
  listener: Listener,
  signal: AbortSignal,
): Promise<boolean> {
  const watch = new AbortController();
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  // Cancelled as well as aborted: Node 20 forgets a request's signal once nothing else holds the request.
  const end = () => {
    watch.abort();
    reader?.cancel().catch(() => {});
  };
  signal.addEventListener("abort", end);
  let silence = setTimeout(end, connection.timeout);
  let heard = false;
  try {
    const answer = await connection.fetch(new URL("/api/events", connection.url), {
      headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
      redirect: "error",
      signal: watch.signal,
    });
    if (answer.status !== 200 || answer.body === null) return false;
    const decoder = new TextDecoder();
    let rest = "";
    reader = answer.body.getReader();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      clearTimeout(silence);
      silence = setTimeout(end, SILENCE_MS);
      const events = (rest + decoder.decode(chunk.value, { stream: true })).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events.filter((one) => one.startsWith("event: "))) {
        if (!heard) listener.connected({ isConnected: true });
        heard = true;
        listener.changed(userOf(event));
      }
    }
    return heard;
  } finally {
    clearTimeout(silence);
    signal.removeEventListener("abort", end);
    end();
  }
}

/** The user that an event is about; for a group or for all it may be anyone, since who is in a group is not known here. */
function userOf(event: string): number | undefined {
  const id = /^event: user\ndata: (\d+)$/.exec(event)?.[1];
  return id === undefined ? undefined : Number(id);
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    if (signal.aborted) done();
    else signal.addEventListener("abort", done);
  });
}
