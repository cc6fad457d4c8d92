import { DirectoryError, type ErrorDetail, type ErrorKind } from "./directory-error.ts";

/** The one table from what went wrong to HTTP. */
export const STATUS_OF: Readonly<Record<ErrorKind, { readonly status: number; readonly title: string }>> = {
  malformed: { status: 400, title: "The request can't be read" },
  unauthenticated: { status: 401, title: "Sign in first" },
  forbidden: { status: 403, title: "Not allowed" },
  "not-found": { status: 404, title: "Not found" },
  "method-not-allowed": { status: 405, title: "Method not allowed" },
  conflict: { status: 409, title: "Conflict" },
  stale: { status: 412, title: "The record changed meanwhile" },
  "too-large": { status: 413, title: "The request is too large" },
  "unsupported-media-type": { status: 415, title: "The body's type is not understood" },
  invalid: { status: 422, title: "The request is not valid" },
  "precondition-required": { status: 428, title: "If-Match is required" },
  throttled: { status: 429, title: "Too many tries" },
  busy: { status: 503, title: "Busy" },
};

/** Problem details of RFC 9457; `code` is the stable word to program against. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: ErrorKind | "internal";
  readonly errors?: readonly ErrorDetail[];
}

/** Answers with what went wrong; what is not a `DirectoryError` is ours to know and nobody else's. */
export function problemAnswer(thrown: unknown, path: string): Response {
  const problem = thrown instanceof DirectoryError ? problemOf(thrown, path) : internal(path);
  const headers = new Headers({ "content-type": "application/problem+json", "cache-control": "no-store" });
  if (problem.status === 401) headers.set("www-authenticate", 'Bearer realm="berth"');
  if (thrown instanceof DirectoryError && thrown.retryAfter !== undefined)
    headers.set("retry-after", String(thrown.retryAfter));
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
}

function problemOf(error: DirectoryError, path: string): Problem {
  const { status, title } = STATUS_OF[error.kind];
  return {
    type: `urn:berth:problem:${error.kind}`,
    title,
    status,
    detail: error.message,
    instance: path,
    code: error.kind,
    ...(error.errors.length > 0 ? { errors: error.errors } : {}),
  };
}

function internal(path: string): Problem {
  return {
    type: "urn:berth:problem:internal",
    title: "Internal error",
    status: 500,
    detail: "The directory failed to answer; its log says why.",
    instance: path,
    code: "internal",
  };
}
