import createClient from "openapi-fetch";
import type { components, paths } from "../../api/directory.d.ts";

export type Schemas = components["schemas"];

/** The directory refused: a problem of RFC 9457. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  readonly code: string;
  /** What is wrong with which field, by JSON pointer. */
  readonly errors: readonly { readonly pointer?: string; readonly detail: string }[];

  constructor(status: number, body: Partial<Schemas["Problem"]>) {
    super(body.detail ?? `The directory answered ${status}.`);
    this.status = status;
    this.code = body.code ?? "unknown";
    this.errors = body.errors ?? [];
  }
}

/** Nothing answered, or not the directory. */
export class DirectoryAway extends Error {
  override readonly name = "DirectoryAway";
  constructor() {
    super("The directory does not answer.");
  }
}

export const API = createClient<paths>({ baseUrl: window.location.origin, fetch: (request) => fetch(request) });

API.use({
  async onResponse({ response }) {
    if (response.ok) return;
    const body: unknown = await response.json().catch(() => undefined);
    if (typeof body === "object" && body !== null) throw new Problem(response.status, body);
    throw new DirectoryAway();
  },
  onError({ error }) {
    return error instanceof Problem || error instanceof DirectoryAway ? error : new DirectoryAway();
  },
});

/** The body of an answer. @throws Problem, DirectoryAway */
export async function bodyOf<T>(asking: Promise<{ readonly data?: T | undefined }>): Promise<T> {
  // What is not an answer was thrown.
  return (await asking).data as T;
}

/** A page of a list, and the cursor of the next one. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly next: string | undefined;
  readonly total: number | undefined;
}

/** A page of an answer with a `Link` to the next. @throws Problem, DirectoryAway */
export async function pageOf<T>(
  asking: Promise<{ readonly data?: readonly T[] | undefined; readonly response: Response }>,
): Promise<Page<T>> {
  const { data = [], response } = await asking;
  const link = /<([^>]*)>;\s*rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
  const total = response.headers.get("total-count");
  return {
    rows: data,
    next:
      link === undefined ? undefined : (new URL(link, window.location.origin).searchParams.get("cursor") ?? undefined),
    total: total === null ? undefined : Number(total),
  };
}

/** What a problem says of one field; undefined for another error. */
export function faultAt(error: unknown, pointer: string): string | undefined {
  if (!(error instanceof Problem)) return undefined;
  return error.errors.find((one) => one.pointer === pointer || one.pointer?.startsWith(`${pointer}/`))?.detail;
}

/** An `If-Match` for a record's version. */
export function ifMatch({ version }: { readonly version: number }): { readonly "If-Match": string } {
  return { "If-Match": `"${version}"` };
}
