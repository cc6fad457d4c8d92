import { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { MAX_JSON_BYTES } from "../go-json/json-body.ts";
import { markUpgraded } from "./hijack.ts";

/** Reads exactly `length` bytes starting with `head`, and unshifts what follows. */
async function readExactly(socket: Socket, head: Buffer, length: number): Promise<Buffer> {
  const chunks = [head];
  let size = head.byteLength;
  while (size < length) {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) {
      if (socket.readableEnded || socket.destroyed) throw new Error("the request ended before its body");
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

/**
 * Node emits an upgrade request with its body unread. Rebuilds the request, so that it takes the same routes and checks as any other.
 * Undefined if its body cannot be read.
 */
export async function reassemble(
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
): Promise<IncomingMessage | undefined> {
  // Clients that send "chunked" with an upgrade (dockerode) send no chunk: raw bytes follow after the response.
  const { "transfer-encoding": encoding, ...headers } = request.headers;
  const length = Number(headers["content-length"] ?? 0);
  // Both headers at once enable request smuggling (RFC 9112, section 6.1).
  if ((encoding !== undefined && length > 0) || !Number.isInteger(length) || length > MAX_JSON_BYTES) return undefined;
  const body = await readExactly(socket, head, length);
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
  if (length > 0) whole.push(body);
  whole.push(null);
  return whole;
}
