import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { Duplex } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Answer } from "../../scripts/ask.mjs";
import type { Berth } from "../berth.testing.ts";
import type { Step } from "./bug-reports.testing.ts";
import { requestOf } from "./steps.testing.ts";

/** An answer that is read while other requests go on. */
export interface Stream {
  /** Settles with the status once the headers are here; rejects where they don't come. */
  status(): Promise<number>;
  send(text: string): void;
  /** Closes our half of the connection. */
  shutdownWrite(): void;
  /** Everything until the other side ends. */
  body(): Promise<Buffer>;
  /** The same as an answer. */
  answer(): Promise<Answer>;
}

/** Opens the request and leaves its answer open. */
export function openStream(berth: Berth, step: Step): Stream {
  const { method, path } = requestOf(step, new Map());
  const sent = request({ socketPath: berth.socket, method, path, headers: { ...step.headers } });
  const head = Promise.race([
    once(sent, "response").then(([response]) => ({ response, connection: undefined })),
    once(sent, "upgrade").then(([response, connection]) => ({ response, connection })),
  ]) as Promise<{ readonly response: IncomingMessage; readonly connection: Duplex | undefined }>;
  sent.end();
  const body = head.then(({ response, connection }) => buffer(connection ?? response));
  const connected = async (use: (connection: Duplex) => void) => {
    const { connection } = await head;
    if (connection === undefined) throw new Error(`${step.req} was not upgraded`);
    use(connection);
  };
  return {
    status: async () => (await head).response.statusCode ?? 0,
    send: (text) => void connected((connection) => connection.write(text)),
    shutdownWrite: () => void connected((connection) => connection.end()),
    body: () => body,
    async answer() {
      const { response } = await head;
      const text = (await body).toString();
      return { status: response.statusCode ?? 0, headers: response.headers, text, json: JSON.parse(text) };
    },
  };
}
