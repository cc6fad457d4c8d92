import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import type { Actor } from "../../engine/actor.ts";
import { createTurns } from "../../engine/concurrency/turns.ts";
import { EngineError, isEngineError } from "../../engine/errors.ts";
import { describeIssues } from "./go-json.ts";
import { syntaxFault } from "./syntax-fault.ts";

/** Limit in bytes, far above the JSON bodies of real clients; files are sent as tar, which has no limit here. */
export const MAX_JSON_BYTES = 8 * 1024 * 1024;

/** A body that takes milliseconds to parse: however many arrive at once, the event loop does one step of one in each round. */
const LARGE_BYTES = 64 * 1024;
const takeTurn = createTurns();

/** How long such a body may take. */
const BODY_MS = 60_000;

/** Limit of nesting; the deepest body of the API has seven levels. */
const MAX_DEPTH = 64;

/** Limit of a user's values, which take longest to parse where each is small: as many as publishing 16,000 ports takes. */
const MAX_USER_VALUES = 100_000;

interface Received {
  readonly req: { readonly raw: Request };
  readonly env?: { readonly incoming?: IncomingMessage };
}

/** A request with its sender. */
interface Sent extends Received {
  get(name: "actor"): Actor;
}

/** Waits for a body. Throws `invalid` if it takes too long. */
export async function withinBodyTime<T>(reading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fault = () => new EngineError("invalid", `the request body did not arrive within ${BODY_MS / 1000} seconds`);
    timer = setTimeout(() => reject(fault()), BODY_MS);
  });
  reading.catch(() => undefined);
  return await Promise.race([reading, late]).finally(() => clearTimeout(timer));
}

/** Reads a whole body of at most `maxJsonBytes`. Throws `too-large`, or `invalid` if it ends early or takes too long. */
export async function readBody(received: Received): Promise<Uint8Array> {
  return await withinBodyTime(readWhole(received));
}

/** Without the web stream that a Request would make of the connection's: it costs more than all else about a small body. */
function bytesOf({ req, env }: Received): AsyncIterable<Uint8Array> | null {
  return env?.incoming === undefined ? req.raw.body : env.incoming.iterator({ destroyOnReturn: false });
}

async function readWhole(received: Received): Promise<Uint8Array> {
  const tooLarge = (): EngineError =>
    new EngineError("too-large", `request body is larger than ${MAX_JSON_BYTES} bytes`);
  if (Number(received.req.raw.headers.get("content-length") ?? 0) > MAX_JSON_BYTES) throw tooLarge();
  const body = bytesOf(received);
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.byteLength;
      if (size > MAX_JSON_BYTES) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (thrown) {
    if (isEngineError(thrown)) throw thrown;
    throw new EngineError("invalid", "the request body ended early", { cause: thrown });
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

/** Rejects a body that is not declared as JSON, with dockerd's message. */
export function requireJsonContentType(contentType: string | undefined): void {
  const [type = ""] = (contentType ?? "").split(";", 1);
  if (type.trim().toLowerCase() === "application/json") return;
  throw new EngineError(
    "invalid",
    contentType
      ? `unsupported Content-Type header (${contentType}): must be 'application/json'`
      : "malformed Content-Type header (): mime: no media type",
  );
}

/**
 * Parses JSON without surrounding text, no deeper than `MAX_DEPTH`, of at most `maxValues` and without NUL in any text, since every text
 * may become a process argument. Throws `invalid`.
 */
export function parseJson(bytes: Uint8Array, maxValues = MAX_USER_VALUES): unknown {
  return parseText(textOf(bytes, maxValues));
}

function textOf(bytes: Uint8Array, maxValues: number): string {
  checkShape(bytes, maxValues);
  return new TextDecoder().decode(bytes);
}

function parseText(text: string): unknown {
  if (text.trim() === "") throw new EngineError("invalid", "invalid JSON: EOF: the request body is empty");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new EngineError("invalid", `invalid JSON: ${jsonFault(cause, text)}`);
  }
  // Only an escape makes either: a NUL as it is would be no JSON, and half a pair no UTF-8.
  if (/\\u(0000|d[89a-f])/i.test(text)) checkTexts(value);
  return value;
}

/** Describes a syntax error: in Go's words, but for a text that takes long to read again. */
function jsonFault(cause: unknown, text: string): string {
  if (text.length <= LARGE_BYTES) return syntaxFault(text);
  return cause instanceof Error ? cause.message : String(cause);
}

/** Unpaired surrogates are not characters, and databases reject them. */
const LONE_SURROGATE = /\p{Surrogate}/u;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** What is looked at byte by byte before the rest of a text is searched, which takes longer to begin, and a tenth of the time. */
const SHORT_TEXT = 64;

/** Where the text ends that begins at `start`: at its quote, or at the end of what there is. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length) {
    for (const end = Math.min(at + SHORT_TEXT, bytes.length); at < end; at++) {
      if (bytes[at] === QUOTE) return at;
      if (bytes[at] === BACKSLASH) at++;
    }
    const quote = bytes.indexOf(QUOTE, at);
    if (quote === -1) break;
    // Two backslashes stand for one, and one before a quote for the quote.
    let backslashes = 0;
    while (quote - backslashes > at && bytes[quote - backslashes - 1] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote;
    at = quote + 1;
  }
  return bytes.length;
}

/** Counts before anything is parsed, so that a hostile body takes neither time nor memory. What is no JSON is left to the parser. */
function checkShape(bytes: Uint8Array, maxValues: number): void {
  let [depth, values] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values += 1;
      depth += 1;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    else if (byte === COMMA) values += 1;
    else continue;
    if (depth > MAX_DEPTH) throw new EngineError("invalid", `invalid JSON: exceeded max depth of ${MAX_DEPTH}`);
    if (values > maxValues)
      throw new EngineError("invalid", `invalid JSON: exceeded max number of ${maxValues} values`);
  }
}

function checkTexts(root: unknown): void {
  const open: { readonly value: unknown; readonly path: string }[] = [{ value: root, path: "" }];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { value, path } = node;
    if (typeof value === "string" && value.includes("\u0000")) {
      throw new EngineError("invalid", `invalid JSON: ${path}: a NUL byte is not allowed`);
    }
    if (typeof value === "string" && LONE_SURROGATE.test(value)) {
      throw new EngineError("invalid", `invalid JSON: ${path}: half a surrogate pair is not allowed`);
    }
    if (typeof value !== "object" || value === null) continue;
    for (const [key, item] of Object.entries(value)) {
      if (key.includes("\u0000"))
        throw new EngineError("invalid", `invalid JSON: ${path}: a NUL byte is not allowed in a key`);
      if (LONE_SURROGATE.test(key))
        throw new EngineError("invalid", `invalid JSON: ${path}: half a surrogate pair is not allowed in a key`);
      open.push({ value: item, path: path === "" ? key : `${path}.${key}` });
    }
  }
}

/** Parses `value` by its schema. Throws `invalid` with the field's path. */
export function parseValue<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new EngineError("invalid", `invalid JSON: ${describeIssues(parsed.error)}`);
}

/** Parses the body of a request, a large one in pieces. An administrator's has as many values as fit into it, as at dockerd. */
async function parseBody(sent: Sent, bytes: Uint8Array): Promise<unknown> {
  requireJsonContentType(sent.req.raw.headers.get("content-type") ?? undefined);
  const maxValues = sent.get("actor").kind === "administrator" ? Number.POSITIVE_INFINITY : MAX_USER_VALUES;
  if (bytes.byteLength <= LARGE_BYTES) return parseJson(bytes, maxValues);
  await takeTurn();
  const text = textOf(bytes, maxValues);
  await takeTurn();
  const value = parseText(text);
  await takeTurn();
  return value;
}

/**
 * Reads and parses a JSON body by its schema. An empty body has no fields, as at dockerd, even without a Content-Type. Throws `invalid`
 * or `too-large`.
 */
export async function readJson<T>(sent: Sent, schema: z.ZodType<T>): Promise<T> {
  const bytes = await readBody(sent);
  return parseValue(schema, bytes.byteLength === 0 ? {} : await parseBody(sent, bytes));
}

/** The same where an empty body is refused. */
export async function requireJson<T>(sent: Sent, schema: z.ZodType<T>): Promise<T> {
  const bytes = await readBody(sent);
  if (bytes.byteLength === 0) throw new EngineError("invalid", "invalid JSON: got EOF while reading request body");
  return parseValue(schema, await parseBody(sent, bytes));
}
