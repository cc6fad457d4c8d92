import { EngineError, isEngineError } from "../../engine/errors.ts";
import type { Progress } from "../../images/images.ts";

const encoder = new TextEncoder();

/**
 * A response body that is made as the client reads it: one pull, one item. `gone` is aborted when the client leaves, so
 * that a source which waits for its next item ends too.
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
        // A generator that is waiting answers `return` only once it wakes.
        void items.return?.().catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** The last line of a JSON stream that failed under way, as Docker writes it. */
function failureLine(message: string): Progress {
  return { errorDetail: { message }, error: message };
}

/** Objects as lines of JSON. What fails once the stream has begun becomes its last line; `report` hears of our own faults. */
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
