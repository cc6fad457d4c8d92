import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { EdgeContext } from "./edge.ts";

/** The request's body as a stream of any length, such as an archive. */
export function bodyStream(context: EdgeContext): Readable {
  if (context.env.incoming !== undefined) return context.env.incoming;
  const { body } = context.req.raw;
  return body === null ? Readable.from([]) : Readable.fromWeb(body as ReadableStream);
}
