import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DirectoryError } from "../errors/directory-error.ts";
import { parseJsonText } from "../http/json-text.ts";
import { atLine, lines } from "../http/user-lines.ts";
import type { Numbered } from "./import-directory.ts";
import { LINE_TYPES, type Line, parseHeader, parseLine } from "./lines.ts";

/** A constraint of a thousand long patterns. */
const MAX_LINE_BYTES = 1_024 * 1_024;
const BATCH = 1_000;

/**
 * Checks every line of an upload before any is imported, and spools them, so that a slow sender keeps no transaction open.
 * @throws `invalid` or `malformed` with the number of the first bad line; `malformed` for a file that is cut off.
 */
export async function withCheckedLines<Result>(
  body: ReadableStream<Uint8Array> | null,
  work: (batches: AsyncIterable<readonly Numbered<Line>[]>) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "berth-import-"));
  try {
    const file = join(folder, "lines");
    const source = body === null ? Readable.from([]) : Readable.fromWeb(body as never);
    await pipeline(checked(source), createWriteStream(file, { mode: 0o600 }));
    return await work(batchesIn(file));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function* checked(source: Readable): AsyncGenerator<string> {
  let number = 0;
  let place = 0;
  let isOver = false;
  for await (const text of lines(source, MAX_LINE_BYTES)) {
    number++;
    if (text.trim() === "") continue;
    const read = <T>(parse: (value: unknown) => T) => reading(number, () => parse(parseJsonText(text)));
    if (number === 1) {
      read(parseHeader);
      continue;
    }
    const line = read(parseLine);
    const at = LINE_TYPES.indexOf(line.type);
    if (at < place || isOver) throw out(number, `lines stand in the order ${LINE_TYPES.join(", ")}`);
    place = at;
    if (line.type !== "end") yield `${JSON.stringify({ ...line, line: number })}\n`;
    else if (line.lines !== number - 2)
      throw out(number, `${line.lines} lines were exported, and ${number - 2} are here`);
    else isOver = true;
  }
  if (!isOver) throw out(number + 1, "the file is cut off: its last line has the type end");
}

function out(line: number, detail: string): DirectoryError {
  return atLine(line, new DirectoryError("malformed", detail, { errors: [{ pointer: "", detail }] }));
}

function reading<T>(line: number, read: () => T): T {
  try {
    return read();
  } catch (fault) {
    throw fault instanceof DirectoryError ? atLine(line, fault) : fault;
  }
}

async function* batchesIn(file: string): AsyncGenerator<readonly Numbered<Line>[]> {
  let batch: Numbered<Line>[] = [];
  for await (const text of lines(createReadStream(file), 2 * MAX_LINE_BYTES)) {
    const line = JSON.parse(text) as Numbered<Line>;
    if (batch.length === BATCH || (batch[0] !== undefined && batch[0].type !== line.type)) {
      yield batch;
      batch = [];
    }
    batch.push(line);
  }
  if (batch.length > 0) yield batch;
}
