import { readFileSync } from "node:fs";
import { join } from "node:path";

// Faults that other engines and clients had, each as requests and what a right engine answers.

export interface Step {
  /** Method, blank, path without the version; the query is not encoded. */
  readonly req: string;
  /** The path is the whole path. */
  readonly abs?: boolean;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Names to keep for `{NAME}` in later steps, each with the key of the answer that it keeps. */
  readonly save?: Readonly<Record<string, string>>;
  /** The answer comes within so many milliseconds. */
  readonly maxMs?: number;
}

/** What the answer to a step has to be; `json` and `at` name keys and JSON pointers, whatever else there is. */
export interface Expected {
  readonly status?: number | readonly number[];
  readonly json?: Readonly<Record<string, unknown>>;
  readonly at?: Readonly<Record<string, unknown>>;
  /** In the message, or in the body where it has none. */
  readonly contains?: string;
  /** A regular expression for the same. */
  readonly match?: string;
  readonly text?: string;
  readonly hex?: string;
  readonly len?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The name of the archive's first entry. */
  readonly tarFirst?: string;
}

export interface HttpReport {
  readonly id: string;
  readonly source: string;
  readonly kind: "http";
  readonly input: { readonly steps: readonly Step[] };
  readonly expect: readonly Expected[];
}

export type Action =
  | { readonly recvHeadersWithinMs: number }
  | { readonly call: Step }
  | { readonly send: string }
  | { readonly shutdownWrite: true }
  | { readonly recvUntilEof: true }
  | { readonly recvBody: true };

export interface StreamReport {
  readonly id: string;
  readonly source: string;
  readonly kind: "stream";
  readonly input: {
    readonly setup: readonly Step[];
    readonly open: Step;
    readonly actions: readonly Action[];
    readonly cleanup: readonly Step[];
  };
  readonly expect: {
    readonly setup: readonly Expected[];
    readonly headers: { readonly status: number };
    /** The text of each stream once the frames are taken apart. */
    readonly frames?: Readonly<Record<string, string>>;
    readonly body?: Expected;
  };
}

export interface DemuxReport {
  readonly id: string;
  readonly source: string;
  readonly kind: "fn";
  /** Each call's one argument: chunks in hexadecimal. */
  readonly input: { readonly fn: "demux"; readonly calls: readonly [readonly string[]][] };
  readonly expect: readonly Readonly<Record<string, string>>[];
}

type Report = HttpReport | StreamReport | DemuxReport;

/** The same with ports of this run's own, since two runs at once must not take each other's: 30xxx becomes 19xxx to 31xxx. */
export function onOwnPorts<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll(/\b30(1\d{2})\b/g, `${19 + (process.pid % 13)}$1`));
}

const reports: readonly Report[] = onOwnPorts(
  JSON.parse(readFileSync(join(import.meta.dirname, "bug-reports.fixture.json"), "utf8")),
);

/** The reports of one kind. */
export function reportsOf<K extends Report["kind"]>(kind: K): readonly Extract<Report, { readonly kind: K }>[] {
  return reports.filter((report): report is Extract<Report, { readonly kind: K }> => report.kind === kind);
}
