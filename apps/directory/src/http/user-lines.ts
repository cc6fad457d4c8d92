import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseFieldValue } from "@berth/directory-domain";
import { parse } from "csv-parse";
import type { ImportedUser } from "../accounts/stores.ts";
import { DirectoryError } from "../errors/directory-error.ts";
import { parseJsonText } from "./json-text.ts";
import { importedUserSchema } from "./schemas/user.ts";
import { parseBody } from "./validate.ts";

export const NDJSON_TYPE = "application/x-ndjson";
export const CSV_TYPE = "text/csv";
/** Columns of the CSV format, in the order of an export. */
export const CSV_COLUMNS = ["login", "email", "name", "kind", "role", "active", "externalId"] as const;
/** What stands before the name of a field of one's own in the name of its column. */
export const FIELD_COLUMN = "field:";

const MAX_LINE_BYTES = 16_384;
const BATCH = 1_000;

/** Users of an upload that were checked and are spooled on disk. */
export interface SpooledUsers {
  readonly batches: AsyncIterable<readonly ImportedUser[]>;
  remove(): Promise<void>;
}

/**
 * Checks every line of an upload before any is imported, holding one line in memory. A slow sender keeps no transaction
 * open.
 * @throws `invalid` or `malformed` with the number of the first bad line.
 */
export async function spoolUsers(
  body: ReadableStream<Uint8Array> | null,
  type: string,
  onProgress: (read: number) => void,
): Promise<SpooledUsers> {
  const folder = await mkdtemp(join(tmpdir(), "berth-import-"));
  const file = join(folder, "users");
  const remove = () => rm(folder, { recursive: true, force: true });
  const source = body === null ? Readable.from([]) : Readable.fromWeb(body as never);
  try {
    const checked = type === CSV_TYPE ? csvUsers(source) : jsonUsers(source);
    await pipeline(counted(checked, onProgress), createWriteStream(file, { mode: 0o600 }));
  } catch (fault) {
    await remove();
    throw fault;
  }
  return { batches: batchesIn(file), remove };
}

async function* counted(
  users: AsyncIterable<ImportedUser>,
  onProgress: (read: number) => void,
): AsyncGenerator<string> {
  let read = 0;
  for await (const user of users) {
    yield `${JSON.stringify(user)}\n`;
    if (++read % BATCH === 0) onProgress(read);
  }
  onProgress(read);
}

async function* batchesIn(file: string): AsyncGenerator<readonly ImportedUser[]> {
  let batch: ImportedUser[] = [];
  for await (const line of lines(createReadStream(file))) {
    batch.push(JSON.parse(line) as ImportedUser);
    if (batch.length === BATCH) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

async function* jsonUsers(source: Readable): AsyncGenerator<ImportedUser> {
  let number = 0;
  for await (const line of lines(source)) {
    number++;
    if (line.trim() !== "") yield readUser(number, () => parseJsonText(line));
  }
}

/** Splits at line feeds. `readline` would buffer an endless line, and split at U+2028, which JSON texts may contain. */
export async function* lines(source: Readable, maxBytes = MAX_LINE_BYTES): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  let number = 1;
  for await (const chunk of source) {
    const parts = (rest + decode(decoder, chunk as Uint8Array, number)).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      number++;
      yield part;
    }
    if (rest.length > maxBytes) throw atLine(number, new DirectoryError("malformed", "the line is too long"));
  }
  if (rest !== "") yield rest;
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array, line: number): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch {
    throw atLine(line, new DirectoryError("malformed", "the text is not UTF-8"));
  }
}

/**
 * The first line names the columns (RFC 4180); an empty cell means no value. Separators are commas, or semicolons or tabs as
 * spreadsheets of many locales write them, whichever the first line has.
 */
async function* csvUsers(source: Readable): AsyncGenerator<ImportedUser> {
  const { delimiter, chunks } = await peekDelimiter(source);
  const parser = chunks.pipe(
    parse({
      columns: true,
      delimiter,
      bom: true,
      info: true,
      trim: true,
      skip_empty_lines: true,
      max_record_size: MAX_LINE_BYTES,
    }),
  );
  chunks.on("error", (fault) => parser.destroy(fault));
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: Record<string, string>;
      info: { lines: number };
    }>)
      yield readUser(info.lines, () => fieldsOf(record));
  } catch (fault) {
    if (fault instanceof DirectoryError) throw fault;
    throw atLine(
      parser.info.lines,
      new DirectoryError("malformed", "the line is not CSV of the columns in the first line"),
    );
  }
}

/** Reads the first chunk, which holds the names of the columns, and returns a stream that starts with it again. */
async function peekDelimiter(source: Readable): Promise<{ readonly delimiter: string; readonly chunks: Readable }> {
  const iterator = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const first = await iterator.next();
  const [header = ""] = first.done
    ? []
    : Buffer.from(first.value)
        .toString("latin1")
        .split(/[\r\n]/, 1);
  const countOf = (separator: string) => header.split(separator).length;
  const delimiter = [";", "\t"].find((separator) => countOf(separator) > countOf(",")) ?? ",";
  async function* all(): AsyncGenerator<Uint8Array> {
    if (!first.done) yield first.value;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  }
  return { delimiter, chunks: Readable.from(all()) };
}

function fieldsOf(record: Readonly<Record<string, string>>): object {
  // Every line needs an e-mail; an empty cell says that the user has none.
  const filled = Object.entries(record).filter(([key, value]) => value !== "" || key === "email");
  const [own, known] = partition(filled, ([key]) => key.startsWith(FIELD_COLUMN));
  const fields = own.map(([key, value]) => [key.slice(FIELD_COLUMN.length), parseFieldValue(unescapeCell(value))]);
  const user = Object.fromEntries(known.map(([key, value]) => [key, cellValue(key, value)]));
  return fields.length === 0 ? user : { ...user, fields: Object.fromEntries(fields) };
}

function partition<T>(list: readonly T[], passes: (one: T) => boolean): readonly [T[], T[]] {
  return [list.filter(passes), list.filter((one) => !passes(one))];
}

function cellValue(key: string, text: string): unknown {
  if (key === "email" && text === "") return null;
  return key === "active" ? flagOf(text) : unescapeCell(text);
}

/** Spreadsheets write booleans in capitals. */
function flagOf(text: string): boolean | string {
  const flag = text.toLowerCase();
  return flag === "true" ? true : flag === "false" ? false : text;
}

/** Marks a text that a spreadsheet would run as a formula, by the apostrophe that spreadsheets use for texts. */
export function escapeCell(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function unescapeCell(text: string): string {
  return /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}

function readUser(line: number, read: () => unknown): ImportedUser {
  try {
    return { ...parseBody(importedUserSchema, read()), line };
  } catch (fault) {
    throw fault instanceof DirectoryError ? atLine(line, fault) : fault;
  }
}

/** The same error, which names the line. */
export function atLine(line: number, error: DirectoryError): DirectoryError {
  return new DirectoryError(error.kind, `Line ${line}: ${error.message}`, {
    errors: error.errors.map((one) => ({ pointer: `/${line}${one.pointer ?? ""}`, detail: one.detail })),
  });
}
