import { finished, type Readable } from "node:stream";

/** Bytes that are held while their reader is busy. */
const MOST_HELD_BYTES = 1 << 18;

/** A smaller chunk costs its reader as much time as a large one, and more than it takes to copy it. */
const SMALL_BYTES = 1 << 12;

/** Joins each run of small chunks. A client that sends an archive of small files sends three for each of them. */
function joinSmall(chunks: readonly Uint8Array[]): readonly Uint8Array[] {
  const joined: Uint8Array[] = [];
  let small: Uint8Array[] = [];
  const endRun = (): void => {
    if (small.length > 0) joined.push(Buffer.concat(small));
    small = [];
  };
  for (const chunk of chunks) {
    if (chunk.length < SMALL_BYTES) small.push(chunk);
    else {
      endRun();
      joined.push(chunk);
    }
  }
  endRun();
  return joined;
}

/**
 * The chunks of a stream as they come; small ones that came together are joined. The stream's own iterator joins all that came together, and
 * so copies nearly all bytes of a request's body.
 * Throws the stream's fault. A reader that leaves before the end leaves the stream paused and open: to destroy the body of a request would
 * close its connection before the answer.
 */
export async function* chunksOf(stream: Readable): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let end: { readonly fault: unknown } | undefined;
  let wake = (): void => undefined;
  const hold = (chunk: Uint8Array): void => {
    held.push(chunk);
    heldBytes += chunk.length;
    if (heldBytes >= MOST_HELD_BYTES) stream.pause();
    // Not at once: Node tells of each chunk by itself, and all that came are in one round of the event loop.
    if (held.length === 1) setImmediate(() => wake());
  };
  const forget = finished(stream, { writable: false }, (fault) => {
    end = { fault };
    wake();
  });
  stream.on("data", hold);
  try {
    for (;;) {
      const chunks = held;
      held = [];
      heldBytes = 0;
      if (chunks.length > 0) yield* chunks.length === 1 ? chunks : joinSmall(chunks);
      else if (end === undefined) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        stream.resume();
        await woken;
      } else if (end.fault) throw end.fault;
      else return;
    }
  } finally {
    forget();
    stream.off("data", hold);
    stream.pause();
  }
}
