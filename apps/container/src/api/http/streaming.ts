import { EngineError, isEngineError } from "../../engine/errors.ts";
import type { Progress } from "../../images/images.ts";

const encoder = new TextEncoder();

/**
 * A response body produced as the client reads: one pull, one item. `gone` aborts when the client disconnects, so that a source waiting
 * for its next item ends, too.
 */
export function streamBody(
  source: AsyncIterable<Uint8Array | string>,
  gone: AbortController,
): ReadableStream<Uint8Array> {
  const items = source[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await items.next();
        if (done) controller.close();
        else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
      },
      cancel() {
        gone.abort();
        // A waiting generator handles `return` only once it resumes.
        void items.return?.().catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** The last line of a JSON stream that failed midway, in Docker's form. */
function failureLine(message: string): Progress {
  return { errorDetail: { message }, error: message };
}

/** Streams objects as lines of JSON. An error midway becomes the last line; `report` receives internal errors. */
export async function* jsonLines(
  objects: AsyncIterable<unknown>,
  report: (fault: unknown) => void,
): AsyncGenerator<string> {
  try {
    for await (const object of objects) yield `${JSON.stringify(object)}\r\n`;
  } catch (thrown) {
    if (!isEngineError(thrown)) report(thrown);
    const message = thrown instanceof EngineError ? thrown.message : "internal error";
    yield `${JSON.stringify(failureLine(message))}\r\n`;
  }
}

/** The same items, as soon as there is a first one. */
export async function begun<T>(items: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const iterator = items[Symbol.asyncIterator]();
  const first = await iterator.next();
  return {
    async *[Symbol.asyncIterator]() {
      try {
        for (let next = first; !next.done; next = await iterator.next()) yield next.value;
      } finally {
        await iterator.return?.();
      }
    },
  };
}
