/** The directory's HTTP interface as commands use it: JSON in, JSON out, refusals as one line for people. */
export interface Api {
  get(path: string): Promise<unknown>;
  send(method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: object): Promise<unknown>;
}

/** What the directory said no to, in its words. */
export class Refused extends Error {
  override readonly name = "Refused";
}

/** The directory did not answer, or something else did. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

export function createApi(connection: {
  readonly url: string;
  readonly token: string;
  readonly fetch: typeof fetch;
}): Api {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = {
      authorization: `Bearer ${connection.token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    };
    const sent = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    try {
      const answer = await connection.fetch(new URL(path, connection.url), sent);
      const text = await answer.text();
      const value: unknown = text === "" ? undefined : JSON.parse(text);
      if (answer.ok) return value;
      throw new Refused((value as { detail?: string } | undefined)?.detail ?? `status ${answer.status}`);
    } catch (fault) {
      if (fault instanceof Refused) throw fault;
      // `fetch` says that it failed and keeps why to itself.
      const { cause, message } = fault as Error;
      throw new Unreachable(`${connection.url}: ${cause instanceof Error ? cause.message : message}`);
    }
  };
  return { get: (path) => call("GET", path), send: call };
}

/** The id of a user by its login, or of a group by its name; a number is taken for the id itself. */
export async function idOf(api: Api, kind: "users" | "groups", name: string): Promise<number> {
  if (/^[1-9]\d*$/.test(name)) return Number(name);
  const field = kind === "users" ? "login" : "name";
  const [found] = (await api.get(`/api/${kind}?limit=1&${field}=${encodeURIComponent(name)}`)) as { id: number }[];
  if (found === undefined) throw new Refused(`There is no ${kind === "users" ? "user" : "group"} ${name}.`);
  return found.id;
}
