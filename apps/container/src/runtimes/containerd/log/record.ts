import type { OutputChunk } from "../../../containers/records/runtime.ts";

/** As the logger writes a line without escapes: most lines of most programs, and several times as fast to take apart as JSON. */
const PLAIN = /^\{"log":"([^"\\]*)(\\n)?","stream":"(stdout|stderr)","time":"([^"\\]+)"\}$/;

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
