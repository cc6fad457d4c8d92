import { Readable, type Transform } from "node:stream";

/** The bytes as a transform gives them. Both ends are destroyed when the reader leaves, and a fault of the source is thrown. */
export async function* through(bytes: AsyncIterable<Uint8Array>, transform: Transform): AsyncGenerator<Buffer> {
  const source = Readable.from(bytes);
  source.once("error", (error) => transform.destroy(error));
  try {
    yield* source.pipe(transform) as AsyncIterable<Buffer>;
  } finally {
    source.destroy();
    transform.destroy();
  }
}
