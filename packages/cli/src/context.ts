import type { Api } from "./api.ts";
import type { AskEngine } from "./host/engine.ts";

/** What a command reaches of the world. */
export interface Terminal {
  readonly fetch: typeof fetch;
  readonly write: (text: string) => void;
  readonly complain: (text: string) => void;
  readonly readStdin: () => Promise<string>;
  /** Reads a file, or standard input for `-`; the caller cancels it or reads it to its end. */
  readonly open: (path: string) => Promise<ReadableStream<Uint8Array>>;
  /** Asks a question and returns the answer; undefined when nobody is there to answer. */
  readonly ask: (question: string) => Promise<string | undefined>;
  /** Asks the directory on this host for an administrator's token, over the socket that only root may open. */
  readonly recover: (login: string) => Promise<{ readonly login: string; readonly token: string }>;
  /** Asks the engine over its administrators' socket on this host. */
  readonly engine: AskEngine;
  /** Whether that socket is there. */
  readonly hasEngine: boolean;
  /** Runs the Docker CLI; its code is undefined where there is none. */
  readonly docker: (args: readonly string[]) => Promise<{ readonly code: number | undefined; readonly output: string }>;
  /** The bytes of a file; undefined for what has no size. */
  readonly sizeOf: (path: string) => Promise<number | undefined>;
  /** Whether somebody watches what `complain` writes. */
  readonly isTerminal: boolean;
  /** The name of this machine. */
  readonly hostname: string;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** The working directory, where relative paths of a docker command line begin. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What commands work with. */
export interface Context {
  /** Where the directory is. */
  readonly url: string;
  readonly api: () => Promise<Api>;
  /** Shows a value as JSON where `--json` asks for it, else the given columns as a table. */
  readonly show: (args: Readonly<Record<string, unknown>>, value: unknown, columns: readonly string[]) => void;
  readonly terminal: Terminal;
}

/** A positional argument that has to be given. */
export const TEXT = { type: "string", demandOption: true } as const;
