import { type ClientHttp2Session, constants, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { EngineError, type EngineErrorKind, isEngineError } from "../../engine/errors.ts";
import { type PassedHeaders, passedHeaders } from "./relay.ts";

/** The code with which a call that is no longer wanted is closed. */
export const CANCELLED = constants.NGHTTP2_CANCEL;

/** grpc's status codes by the kinds of our errors; what is not named is UNKNOWN. */
const CODES: Partial<Record<EngineErrorKind, number>> = {
  invalid: 3,
  "not-found": 5,
  conflict: 10,
  forbidden: 7,
  unsupported: 12,
  full: 8,
  "too-many": 8,
  "too-large": 8,
  unavailable: 14,
  unauthorized: 16,
};
const UNKNOWN = 2;

const PREFIX_BYTES = 5;
const MAX_MESSAGE_BYTES = 16 << 20;

/** What a call of one message was answered. */
export interface Answer {
  /** Undefined for an answer that is a status alone. */
  readonly message: Buffer | undefined;
  readonly trailers: PassedHeaders;
}

/** Whether the answer is a success. */
export function isOk({ trailers }: Answer): boolean {
  return trailers["grpc-status"] === "0";
}

/** Reads the one message that a stream has. Throws `invalid` for none or several, and `too-large`. */
export async function readMessage(stream: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    parts.push(part);
    size += part.length;
    if (size > MAX_MESSAGE_BYTES)
      throw new EngineError("too-large", `a message of BuildKit's API has over ${MAX_MESSAGE_BYTES} bytes`);
  }
  if (size === 0) return undefined;
  const bytes = Buffer.concat(parts);
  if (size < PREFIX_BYTES || bytes.readUInt32BE(1) !== size - PREFIX_BYTES || bytes[0] !== 0)
    throw new EngineError("invalid", "want one uncompressed message");
  return bytes.subarray(PREFIX_BYTES);
}

/** A message as it goes through a call: uncompressed, behind its length. */
export function frame(message: Buffer): Buffer {
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** Calls a method that takes and gives one message. Throws `unavailable` if the connection ends, or the signal's reason. */
export async function callUnary(
  to: ClientHttp2Session,
  headers: PassedHeaders,
  message: Buffer,
  signal: AbortSignal,
): Promise<Answer> {
  if (to.closed || to.destroyed) throw new EngineError("unavailable", "BuildKit ended the connection");
  const call = to.request(headers);
  const cancel = () => call.close(CANCELLED);
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  let trailers: PassedHeaders = {};
  const answered = new Promise<void>((resolve, reject) => {
    const read = (_headers: IncomingHttpHeaders, _flags: number, raw: readonly string[]) => {
      trailers = passedHeaders(raw);
    };
    call.on("response", read);
    call.on("trailers", read);
    call.on("error", reject);
    call.on("close", resolve);
  });
  try {
    call.end(frame(message));
    const [answer] = await Promise.all([readMessage(call), answered]);
    if (trailers["grpc-status"] === undefined) throw new Error("the answer has no status");
    return { message: answer, trailers };
  } catch (cause) {
    signal.throwIfAborted();
    throw new EngineError("unavailable", "BuildKit ended the connection", { cause });
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/**
 * Calls a method that takes one message and gives several, as fast as they are read. Leaving the iteration ends the call. Throws
 * `unavailable` if the connection ends, or the signal's reason.
 */
export async function* callStream(
  to: ClientHttp2Session,
  headers: PassedHeaders,
  message: Buffer,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  if (to.closed || to.destroyed) throw new EngineError("unavailable", "BuildKit ended the connection");
  const call = to.request(headers);
  const cancel = () => call.close(CANCELLED);
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    call.end(frame(message));
    yield* messagesOf(call);
  } catch (cause) {
    signal.throwIfAborted();
    if (isEngineError(cause)) throw cause;
    throw new EngineError("unavailable", "BuildKit ended the connection", { cause });
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}

/** The messages that come in by a call. Throws `too-large`. */
export async function* messagesOf(call: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  for await (const part of call) {
    waiting = Buffer.concat([waiting, part]);
    for (let length = framedLength(waiting); length <= waiting.length; length = framedLength(waiting)) {
      yield waiting.subarray(PREFIX_BYTES, length);
      waiting = waiting.subarray(length);
    }
  }
}

/** How many bytes the first message takes with its prefix; one more than there are while that is not known. Throws `too-large`. */
function framedLength(bytes: Buffer): number {
  if (bytes.length < PREFIX_BYTES) return bytes.length + 1;
  const length = bytes.readUInt32BE(1);
  if (length > MAX_MESSAGE_BYTES)
    throw new EngineError("too-large", `a message of BuildKit's API has over ${MAX_MESSAGE_BYTES} bytes`);
  return PREFIX_BYTES + length;
}

/** What an answer that is no success says. */
export function messageOf({ trailers }: Answer): string {
  const text = String(trailers["grpc-message"] ?? "");
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Headers of a call that is Berth's own. */
export function callHeaders(path: string): PassedHeaders {
  return { ":method": "POST", ":path": path, ":scheme": "http", "content-type": "application/grpc", te: "trailers" };
}

/** Sends an answer, with its trailers but for the headers of the answer that they may hold. */
export function sendAnswer(stream: ServerHttp2Stream, { message, trailers }: Answer): void {
  if (stream.destroyed || stream.closed) return;
  const status = Object.fromEntries(
    Object.entries(trailers).filter(([name]) => !name.startsWith(":") && name !== "content-type"),
  );
  const head = { ":status": 200, "content-type": "application/grpc" };
  if (message === undefined) return void stream.respond({ ...head, ...status }, { endStream: true });
  stream.respond(head, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers(status));
  stream.end(frame(message));
}

/** The answer that tells of a failure. */
export function failure(thrown: unknown): Answer {
  const { kind, message } =
    thrown instanceof EngineError ? thrown : { kind: "failed" as const, message: "internal error" };
  const text = encodeURIComponent(message).replaceAll("%20", " ");
  return { message: undefined, trailers: { "grpc-status": String(CODES[kind] ?? UNKNOWN), "grpc-message": text } };
}
