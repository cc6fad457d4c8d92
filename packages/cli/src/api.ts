import { ask, type Connection, type Content, DirectoryUnavailable, type Refusal, send } from "@berth/directory-client";

/** The directory's HTTP interface as commands use it: JSON in, JSON out, refusals as one line for people. */
export interface Api {
  readonly url: string;
  get(path: string): Promise<unknown>;
  send(method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: object): Promise<unknown>;
  /** Sends a body of any type, and passes the answer on as it comes. */
  transfer(method: "GET" | "POST", path: string, content?: Content): Promise<ReadableStream<Uint8Array>>;
}

/** A request was refused, by the directory or by the command itself; the message is for the user. */
export class Refused extends Error {
  override readonly name = "Refused";
}

/** The directory did not answer, or another program answered in its place. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

export function createApi(connection: Connection & { readonly token: string }): Api {
  const { url, token } = connection;
  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await ask(connection, { method, path, token, body }).catch(explain);
    if (!answer.ok) throw refused(answer);
    return answer.body;
  }
  function explain(fault: unknown): never {
    if (!(fault instanceof DirectoryUnavailable)) throw fault;
    throw new Unreachable(`the directory at ${url} does not answer: ${rootCause(fault).message}`);
  }
  return {
    url,
    get: (path) => call("GET", path),
    send: call,
    async transfer(method, path, content) {
      const answer = await send(connection, { method, path, token, content }).catch(explain);
      if (!answer.ok) throw refused(answer);
      return answer.body ?? new ReadableStream({ start: (controller) => controller.close() });
    },
  };
}

/** For people: a token that opens nothing is no question of headers. */
function refused({ status, detail }: Refusal): Refused {
  if (status !== 401) return new Refused(detail);
  return new Refused(
    "the directory does not accept this token: set BERTH_TOKEN to a valid one; " +
      "as root on the directory's host, berth recover-admin makes one",
  );
}

/** `fetch` reports that it failed, and keeps the reason in its cause. */
function rootCause(fault: Error): Error {
  return fault.cause instanceof Error ? rootCause(fault.cause) : fault;
}
