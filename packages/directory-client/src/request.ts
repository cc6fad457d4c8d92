/** The directory gave no usable answer; the caller must then refuse whatever depends on it. */
export class DirectoryUnavailable extends Error {
  constructor(detail: string, options?: ErrorOptions) {
    super(`directory-unavailable: ${detail}`, options);
    this.name = "DirectoryUnavailable";
  }
}

export interface Connection {
  readonly url: string;
  readonly fetch: typeof fetch;
  /** Milliseconds for one attempt; no limit when omitted. */
  readonly timeout?: number;
}

export interface Call {
  readonly method: string;
  /** Path and query under the directory's address, as in `/api/users?limit=1`. */
  readonly path: string;
  readonly token: string;
  /** Sent as JSON. */
  readonly body?: object | undefined;
}

/** The directory's answer: the JSON it returned (undefined for an empty body), or its status and reason for refusing. */
export type Answer =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly status: number; readonly detail: string };

/**
 * Sends one request, once. Every HTTP status is an answer; throws `DirectoryUnavailable` when there is none, or when its body is not
 * JSON.
 */
export async function ask(connection: Connection, { method, path, token, body }: Call): Promise<Answer> {
  // A text that cannot be a token cannot be sent in a header either.
  if (!/^[\w-]{1,200}$/.test(token)) return { ok: false, status: 401, detail: "The token is not a valid token." };
  const { timeout } = connection;
  try {
    const response = await connection.fetch(new URL(path, connection.url), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(timeout === undefined ? {} : { signal: AbortSignal.timeout(timeout) }),
      redirect: "error",
    });
    const text = await response.text();
    if (!response.ok) return { ok: false, status: response.status, detail: detailOf(text, response.status) };
    return { ok: true, body: text === "" ? undefined : JSON.parse(text) };
  } catch (cause) {
    throw new DirectoryUnavailable(`no answer to ${path}`, { cause });
  }
}

/** The `detail` of a problem document (RFC 9457), or the bare status. */
function detailOf(text: string, status: number): string {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown };
    return typeof detail === "string" ? detail : `status ${status}`;
  } catch {
    return `status ${status}`;
  }
}

/** What `getJson` found: the JSON, or that the token (401) or the record (404) is unknown. */
export type Found = { readonly ok: true; readonly body: unknown } | { readonly ok: false; readonly status: 401 | 404 };

/**
 * Gets JSON, with one retry. Throws `DirectoryUnavailable` on any status but 200, 401 and 404: a 403 refuses the caller's own token and
 * says nothing about the user it asked about.
 */
export async function getJson(connection: Connection, path: string, token: string): Promise<Found> {
  let last: unknown;
  for (let tries = 0; tries < 2; tries++) {
    try {
      const answer = await ask(connection, { method: "GET", path, token });
      if (answer.ok) return answer;
      const { status } = answer;
      if (status === 401 || status === 404) return { ok: false, status };
      last = new Error(`status ${status}`);
    } catch (fault) {
      last = (fault as Error).cause;
    }
  }
  throw new DirectoryUnavailable(`no answer to ${path}`, { cause: last });
}
