import type { OutputChunk } from "../../../containers/records/runtime.ts";

/** As the logger writes a line without escapes: most lines of most programs, and several times as fast to take apart as JSON. */
const PLAIN = /^\{"log":"([^"\\]*)(\\n)?","stream":"(stdout|stderr)","time":"([^"\\]+)"\}$/;

/** From this length on, a record's base64 is decoded where it stands: to make a string of the record first costs more. */
const LONG_BYTES = 1 << 10;
const NEWLINE = 0x0a;
const QUOTE = 0x22;
const BYTES_KEY = Buffer.from(',"bytes":"');
/** Where the fields of a record's end are, counted from its `}`: the logger writes each of them in one length. */
const TAIL = /^","stream":"(stdout|stderr)","time":"([^"\\]{30})"\}$/;
const TAIL_BYTES = '","stream":"stdout","time":"2026-01-02T03:04:05.000000006Z"}'.length;

/** The records of whole lines, each of which ends with a newline; without those that are damaged by a full disk or a crash. */
export function parseRecords(lines: Buffer): readonly OutputChunk[] {
  const records: OutputChunk[] = [];
  let text = 0;
  const parseText = (end: number): void => {
    for (const line of lines.toString("utf8", text, end).split("\n")) {
      const record = line === "" ? undefined : parseRecord(line);
      if (record !== undefined) records.push(record);
    }
  };
  for (let start = 0; start < lines.length; ) {
    const end = lines.indexOf(NEWLINE, start);
    const long = end - start < LONG_BYTES ? undefined : parseLongRecord(lines.subarray(start, end));
    if (long !== undefined) {
      parseText(start);
      records.push(long);
      text = end + 1;
    }
    start = end + 1;
  }
  parseText(lines.length);
  return records;
}

/** A record that has the exact bytes; undefined for every other one. `log` itself has no quote that is not escaped, so the last one opens the bytes. */
function parseLongRecord(line: Buffer): OutputChunk | undefined {
  const end = line.length - TAIL_BYTES;
  const start = line.lastIndexOf(QUOTE, end - 1) + 1;
  const key = line.subarray(start - BYTES_KEY.length, start);
  const [whole, name, time = ""] = TAIL.exec(line.toString("latin1", end)) ?? [];
  if (whole === undefined || !key.equals(BYTES_KEY)) return undefined;
  return {
    stream: name as OutputChunk["stream"],
    time,
    data: Buffer.from(line.toString("latin1", start, end), "base64"),
  };
}

/** Parses one line of the log file; undefined if it is damaged by a full disk or a crash. */
export function parseRecord(line: string): OutputChunk | undefined {
  const [whole, text, newline, name, at] = PLAIN.exec(line) ?? [];
  if (whole !== undefined)
    return {
      stream: name as OutputChunk["stream"],
      time: at ?? "",
      data: Buffer.from(newline === undefined ? (text ?? "") : `${text}\n`),
    };
  let record: { log?: unknown; stream?: unknown; time?: unknown; bytes?: unknown } | null;
  try {
    record = JSON.parse(line);
  } catch {
    return undefined;
  }
  const { log, stream, time, bytes } = record ?? {};
  if (typeof log !== "string" || typeof time !== "string" || (stream !== "stdout" && stream !== "stderr")) {
    return undefined;
  }
  return { stream, time, data: typeof bytes === "string" ? Buffer.from(bytes, "base64") : Buffer.from(log) };
}

export function endsLine({ data }: Pick<OutputChunk, "data">): boolean {
  return data.at(-1) === 0x0a;
}

/** A moment in the records' own form, so that text compares as time: UTC with nine digits. RFC 3339 in, any offset. */
export function recordTime(rfc3339: string): string {
  const fraction = /\.(\d+)/.exec(rfc3339)?.[1] ?? "";
  const whole = new Date(rfc3339.replace(/\.\d+/, "")).toISOString().slice(0, "2000-01-01T00:00:00".length);
  return `${whole}.${fraction.slice(0, 9).padEnd(9, "0")}Z`;
}
