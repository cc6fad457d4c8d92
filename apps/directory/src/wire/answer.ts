import { ReadableStream, TextEncoderStream } from "node:stream/web";
import { etagOf, isKnown } from "./etag.ts";

// What is said about people is kept by no cache on the way.
const HEADERS = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

export function jsonAnswer(
  body: unknown,
  options: { readonly status?: number; readonly headers?: Headers | Readonly<Record<string, string>> } = {},
): Response {
  const headers = new Headers({ ...HEADERS, "content-type": "application/json" });
  for (const [name, value] of new Headers(options.headers)) headers.set(name, value);
  return new Response(JSON.stringify(body), { status: options.status ?? 200, headers });
}

/** A record with its entity tag; 304 without a body when the caller has this version. */
export function recordAnswer(
  record: { readonly version: number },
  shown: unknown,
  options: {
    readonly status?: number;
    readonly location?: string;
    readonly ifNoneMatch?: string | undefined;
    readonly type?: string;
  } = {},
): Response {
  const etag = etagOf(record);
  if (isKnown(options.ifNoneMatch, etag)) return new Response(null, { status: 304, headers: { ...HEADERS, etag } });
  const headers = {
    etag,
    ...(options.location === undefined ? {} : { location: options.location }),
    ...(options.type === undefined ? {} : { "content-type": options.type }),
  };
  return jsonAnswer(shown, { status: options.status ?? 200, headers });
}

export function noContent(headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 204, headers: { ...HEADERS, ...headers } });
}

/** A JSON array of whatever length in the memory of one batch: the next is fetched once the last was taken. */
export function arrayAnswer(batches: AsyncIterable<readonly unknown[]>): Response {
  const body = ReadableStream.from(arrayText(batches)).pipeThrough(new TextEncoderStream());
  return new Response(body as ConstructorParameters<typeof Response>[0], {
    headers: { ...HEADERS, "content-type": "application/json" },
  });
}

async function* arrayText(batches: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let separator = "[";
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    yield separator + batch.map((item) => JSON.stringify(item)).join(",");
    separator = ",";
  }
  yield separator === "[" ? "[]" : "]";
}
