import type { Writable } from "node:stream";

/** Settles when the stream takes more, or is closed. Leaves nothing behind, unlike a race with a promise that lasts as long as the stream. */
export function takesMore(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off("drain", done).off("close", done);
      resolve();
    };
    stream.on("drain", done).on("close", done);
  });
}
