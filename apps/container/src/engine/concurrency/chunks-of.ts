import { finished, type Readable } from "node:stream";

/** Bytes that are held while their reader is busy. */
const MOST_HELD_BYTES = 1 << 18;

/**
 * The chunks of a stream as they come: its own iterator joins those that came together, and so copies nearly all bytes of a request's body.
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
    wake();
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
      if (chunks.length > 0) yield* chunks;
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
