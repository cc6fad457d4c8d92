/** The directory gave no usable answer; the caller must then refuse whatever depends on it. */
export class DirectoryUnavailable extends Error {
  constructor(detail: string, options?: ErrorOptions) {
    super(`directory-unavailable: ${detail}`, options);
    this.name = "DirectoryUnavailable";
  }
}

export interface Connection {
  /** The directory's address, as in `http://127.0.0.1:7780`. */
  readonly url: string;
  readonly fetch: typeof fetch;
  /** Milliseconds for one attempt; no limit when omitted. */
  readonly timeout?: number;
}

interface Request {
  readonly method: string;
  /** Path and query under the directory's address, as in `/api/users?limit=1`. */
  readonly path: string;
  /** Left out for what anyone may ask. */
  readonly token?: string;
}

/** A body and its media type. */
export interface Content {
  readonly type: string;
  readonly body: string | ReadableStream<Uint8Array>;
}

/** A request whose body, if any, is sent as JSON. */
export interface JsonRequest extends Request {
  readonly body?: object | undefined;
}

/** A request with a body of any type. */
export interface ContentRequest extends Request {
  readonly content?: Content | undefined;
}

/** The directory refused, with an HTTP status and its reason. */
export interface Refusal {
  readonly ok: false;
  readonly status: number;
  readonly detail: string;
}

/** The JSON that the directory returned (undefined for an empty body), or its refusal. */
export type Answer = { readonly ok: true; readonly body: unknown } | Refusal;

/** The body that the directory returned, unread, or its refusal. */
export type ContentAnswer = { readonly ok: true; readonly body: ReadableStream<Uint8Array> | null } | Refusal;

/** Sends one request with JSON, once. Every HTTP status is an answer; throws `DirectoryUnavailable` when there is none, or no JSON. */
export async function ask(connection: Connection, { body, ...request }: JsonRequest): Promise<Answer> {
  const content = body && { type: "application/json", body: JSON.stringify(body) };
  const answer = await send(connection, { ...request, content });
  if (!answer.ok) return answer;
  try {
    const text = await new Response(answer.body).text();
    return { ok: true, body: text === "" ? undefined : JSON.parse(text) };
  } catch (cause) {
    throw new DirectoryUnavailable(`no answer to ${request.path}`, { cause });
  }
}

/** Sends one request, once, and returns the body of the answer as it comes. Throws `DirectoryUnavailable` when there is no answer. */
export async function send(
  connection: Connection,
  { method, path, token, content }: ContentRequest,
): Promise<ContentAnswer> {
  // A text that cannot be a token cannot be sent in a header either.
  if (token !== undefined && !/^[\w-]{1,200}$/.test(token))
    return { ok: false, status: 401, detail: "The token is not a valid token." };
  const { timeout } = connection;
  try {
    const response = await connection.fetch(new URL(path, connection.url), {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        accept: "application/json",
        ...(content === undefined ? {} : { "content-type": content.type }),
      },
      // Fetch wants to be told that it sends a stream before the answer begins.
      ...(content === undefined ? {} : { body: content.body, duplex: "half" }),
      ...(timeout === undefined ? {} : { signal: AbortSignal.timeout(timeout) }),
      redirect: "error",
    } as RequestInit);
    if (response.ok) return { ok: true, body: response.body };
    return { ok: false, status: response.status, detail: detailOf(await response.text(), response.status) };
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
