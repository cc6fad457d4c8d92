import { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { EngineError } from "../../engine/errors.ts";
import { MAX_JSON_BYTES, withinBodyTime } from "../go-json/json-body.ts";
import { markUpgraded } from "./hijack.ts";

/** Reads exactly `length` bytes starting with `head`, and unshifts what follows. */
async function readExactly(socket: Socket, head: Buffer, length: number): Promise<Buffer> {
  const chunks = [head];
  let size = head.byteLength;
  while (size < length) {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) {
      if (socket.readableEnded || socket.destroyed) {
        throw new EngineError("invalid", "the request ended before its body");
      }
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          for (const event of ["readable", "end", "close"]) socket.off(event, wake);
          resolve();
        };
        for (const event of ["readable", "end", "close"]) socket.on(event, wake);
      });
      continue;
    }
    chunks.push(chunk);
    size += chunk.byteLength;
  }
  const bytes = Buffer.concat(chunks);
  if (size > length) socket.unshift(bytes.subarray(length));
  return bytes.subarray(0, length);
}

/** Alternating names and values. */
function withoutEncoding(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, at) => rawHeaders[at - (at % 2)]?.toLowerCase() !== "transfer-encoding");
}

/** The end of a chunked body, which is all of one without bytes. */
const NO_CHUNK = Buffer.from("0\r\n\r\n");

/** How to read the bodies that upgrade requests have not sent yet. */
const unread = new WeakMap<IncomingMessage, () => Promise<void>>();

/**
 * Reads the body of a rebuilt upgrade request, and does nothing for any other. What follows the body is left to the code that takes over the
 * connection. Throws `invalid` if the body ends early or takes too long.
 */
export async function readUpgradeBody(request: IncomingMessage): Promise<void> {
  const read = unread.get(request);
  unread.delete(request);
  await read?.();
}

/**
 * Node emits an upgrade request with its body unread. Rebuilds the request, so that it takes the same routes and checks as any other. Its
 * body stays unread until `readUpgradeBody`, since a stranger's is not worth any memory. Undefined if the body cannot be read.
 */
export function reassemble(request: IncomingMessage, socket: Socket, head: Buffer): IncomingMessage | undefined {
  // Clients that send "chunked" with an upgrade (dockerode) send no chunk, some its end: raw bytes follow after the response.
  const { "transfer-encoding": encoding, ...headers } = request.headers;
  const length = Number(headers["content-length"] ?? 0);
  // Both headers at once enable request smuggling (RFC 9112, section 6.1).
  if ((encoding !== undefined && length > 0) || !Number.isInteger(length) || length > MAX_JSON_BYTES) return undefined;
  const whole = new IncomingMessage(socket);
  Object.assign(whole, {
    method: request.method,
    url: request.url,
    httpVersion: request.httpVersion,
    httpVersionMajor: request.httpVersionMajor,
    httpVersionMinor: request.httpVersionMinor,
    headers,
    rawHeaders: encoding === undefined ? request.rawHeaders : withoutEncoding(request.rawHeaders),
    complete: true,
  });
  markUpgraded(whole);
  if (length === 0) {
    const isEnded = encoding !== undefined && head.subarray(0, NO_CHUNK.byteLength).equals(NO_CHUNK);
    const rest = isEnded ? head.subarray(NO_CHUNK.byteLength) : head;
    if (rest.byteLength > 0) socket.unshift(rest);
    whole.push(null);
    return whole;
  }
  unread.set(whole, async () => {
    whole.push(await withinBodyTime(readExactly(socket, head, length)));
    whole.push(null);
  });
  return whole;
}
