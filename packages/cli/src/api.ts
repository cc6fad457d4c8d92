import { type Answer, ask, DirectoryUnavailable } from "@berth/directory-client";

/** The directory's HTTP interface as commands use it: JSON in, JSON out, refusals as one line for people. */
export interface Api {
  get(path: string): Promise<unknown>;
  send(method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: object): Promise<unknown>;
}

/** The directory refused a request; the message is the directory's own. */
export class Refused extends Error {
  override readonly name = "Refused";
}

/** The directory did not answer, or another program answered in its place. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

export function createApi(connection: {
  readonly url: string;
  readonly token: string;
  readonly fetch: typeof fetch;
}): Api {
  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await ask(connection, { method, path, token: connection.token, body }).catch(explain);
    if (!answer.ok) throw new Refused(answer.detail);
    return answer.body;
  }
  function explain(fault: unknown): Answer {
    if (!(fault instanceof DirectoryUnavailable)) throw fault;
    throw new Unreachable(`${connection.url}: ${rootCause(fault).message}`);
  }
  return { get: (path) => call("GET", path), send: call };
}

/** `fetch` reports that it failed, and keeps the reason in its cause. */
function rootCause(fault: Error): Error {
  return fault.cause instanceof Error ? rootCause(fault.cause) : fault;
}

/** The id of a user by its login, or of a group by its name; a number is taken for the id itself. */
export async function idOf(api: Api, kind: "users" | "groups", name: string): Promise<number> {
  if (/^[1-9]\d*$/.test(name)) return Number(name);
  const field = kind === "users" ? "login" : "name";
  const [found] = (await api.get(`/api/${kind}?limit=1&${field}=${encodeURIComponent(name)}`)) as { id: number }[];
  if (found === undefined) throw new Refused(`There is no ${kind === "users" ? "user" : "group"} ${name}.`);
  return found.id;
}
