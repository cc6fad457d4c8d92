import { ReadableStream, TextEncoderStream } from "node:stream/web";
import type { Call } from "./endpoint.ts";
import { etagOf, isKnown } from "./etag.ts";

// Answers contain personal data, so no cache may store them.
const HEADERS = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/** The parts of a request that a streamed answer needs. */
type Streamed = Pick<Call<unknown, unknown>, "onFault" | "cutOff">;

export interface AnswerOptions {
  readonly status?: number;
  readonly headers?: Headers | Readonly<Record<string, string>>;
}

export function jsonAnswer(body: unknown, options: AnswerOptions = {}): Response {
  return jsonTextAnswer(JSON.stringify(body), options);
}

/** An answer from serialised JSON. */
export function jsonTextAnswer(text: string, options: AnswerOptions = {}): Response {
  const headers = new Headers({ ...HEADERS, "content-type": "application/json" });
  for (const [name, value] of new Headers(options.headers)) headers.set(name, value);
  return new Response(text, { status: options.status ?? 200, headers });
}

/** A record with its entity tag; 304 without a body when `ifNoneMatch` names this version. */
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

/** 202: the request is noted and takes effect later. */
export function accepted(): Response {
  return new Response(null, { status: 202, headers: HEADERS });
}

export function noContent(headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 204, headers: { ...HEADERS, ...headers } });
}

/**
 * Streams with back-pressure and holds one chunk at a time. The first chunk is produced before the status is sent, so its
 * failure is a 500; a later failure cuts the connection, so that clients do not take a partial answer for the whole.
 */
export async function streamAnswer(
  call: Streamed,
  pieces: AsyncGenerator<string>,
  type: string,
  options: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Response> {
  const first = await pieces.next();
  const text = first.done ? [] : piecesFrom(first.value, pieces, call);
  const body = ReadableStream.from(text).pipeThrough(new TextEncoderStream());
  return new Response(body as ConstructorParameters<typeof Response>[0], {
    status: options.status ?? 200,
    headers: { ...HEADERS, ...options.headers, "content-type": type },
  });
}

async function* piecesFrom(first: string, rest: AsyncGenerator<string>, call: Streamed): AsyncGenerator<string> {
  yield first;
  try {
    yield* rest;
  } catch (fault) {
    call.onFault(fault);
    call.cutOff();
    // The server may print this error, so it must not reveal the cause.
    throw new Error("answer interrupted");
  }
}

/** Serialises batches of items as one JSON array. */
export async function* arrayText(batches: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let separator = "[";
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    yield separator + batch.map((item) => JSON.stringify(item)).join(",");
    separator = ",";
  }
  yield separator === "[" ? "[]" : "]";
}
