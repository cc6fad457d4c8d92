import { DirectoryError, type ErrorDetail, type ErrorKind } from "./directory-error.ts";

/** Maps each kind of failure to its HTTP status and title. */
export const STATUS_OF: Readonly<Record<ErrorKind, { readonly status: number; readonly title: string }>> = {
  malformed: { status: 400, title: "Malformed request" },
  unauthenticated: { status: 401, title: "Authentication required" },
  "second-factor-required": { status: 401, title: "A code is required" },
  forbidden: { status: 403, title: "Forbidden" },
  "not-found": { status: 404, title: "Not found" },
  "method-not-allowed": { status: 405, title: "Method not allowed" },
  conflict: { status: 409, title: "Conflict" },
  stale: { status: 412, title: "The record has changed" },
  "too-large": { status: 413, title: "Request too large" },
  "unsupported-media-type": { status: 415, title: "Unsupported media type" },
  invalid: { status: 422, title: "Invalid request" },
  "precondition-required": { status: 428, title: "If-Match is required" },
  throttled: { status: 429, title: "Too many attempts" },
  busy: { status: 503, title: "Busy" },
  unavailable: { status: 503, title: "Database unavailable" },
  full: { status: 507, title: "No space left" },
};

/** Problem details of RFC 9457; programs should match on `code`, which is stable. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: ErrorKind | "internal";
  readonly errors?: readonly ErrorDetail[];
}

/** Builds the response for a thrown value. Anything but a `DirectoryError` becomes a 500 that reveals nothing. */
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
    detail: "Internal error; see the directory's log.",
    instance: path,
    code: "internal",
  };
}
