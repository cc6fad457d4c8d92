/** The directory gave no answer that could be used: nobody may be let through on its account. */
export class DirectoryUnavailable extends Error {
  constructor(detail: string, options?: ErrorOptions) {
    super(`directory-unavailable: ${detail}`, options);
    this.name = "DirectoryUnavailable";
  }
}

export interface Connection {
  readonly url: string;
  readonly fetch: typeof fetch;
  /** Milliseconds for one try. */
  readonly timeout: number;
}

/**
 * Gets JSON with one retry. 401 and 404 are answers (undefined); everything else that is not 200 is unavailability, a
 * refusal of our own token included: it says nothing about the user that was asked about.
 */
export async function getJson(connection: Connection, path: string, token: string): Promise<unknown> {
  // What can't be a token can't be sent as one either.
  if (!/^[\w-]{1,200}$/.test(token)) return { status: 401 };
  let last: unknown;
  for (let tries = 0; tries < 2; tries++) {
    try {
      const answer = await connection.fetch(new URL(path, connection.url), {
        headers: { authorization: `Bearer ${token}`, accept: "application/json" },
        redirect: "error",
        signal: AbortSignal.timeout(connection.timeout),
      });
      if (answer.status === 200) return await answer.json();
      await answer.body?.cancel();
      if (answer.status === 401 || answer.status === 404) return { status: answer.status };
      last = new Error(`status ${answer.status}`);
    } catch (cause) {
      last = cause;
    }
  }
  throw new DirectoryUnavailable(`no answer to ${path}`, { cause: last });
}

/** Whether the answer is a refusal: 401 or 404. */
export function statusOf(answer: unknown): 401 | 404 | undefined {
  const { status } = (answer ?? {}) as { status?: unknown };
  return status === 401 || status === 404 ? status : undefined;
}
