import type { Agent, IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Undefined where the body is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer of any shape; its reader knows which.
  readonly json: any;
}

export interface AskOptions {
  readonly method?: string;
  readonly path?: string;
  readonly json?: unknown;
  readonly body?: Readable | Buffer;
  readonly headers?: Record<string, string>;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly agent?: Agent;
}

export function ask(target: string, options?: AskOptions): Promise<Answer>;
