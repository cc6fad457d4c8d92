/** Every way in which a use case refuses. `errors.ts` maps each to its HTTP status. */
export type ErrorKind =
  | "malformed"
  | "invalid"
  | "too-large"
  | "unsupported-media-type"
  | "unauthenticated"
  | "forbidden"
  | "not-found"
  | "method-not-allowed"
  | "conflict"
  | "stale"
  | "precondition-required"
  | "throttled"
  | "busy";

/** Where in the request (RFC 6901 pointer into the body, or a parameter's name) and what would be right. */
export interface ErrorDetail {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly detail: string;
}

/** The one error that use cases throw; anything else that is thrown is a fault of ours. */
export class DirectoryError extends Error {
  readonly kind: ErrorKind;
  readonly errors: readonly ErrorDetail[];
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined;

  constructor(
    kind: ErrorKind,
    detail: string,
    options: { readonly errors?: readonly ErrorDetail[]; readonly retryAfter?: number; readonly cause?: unknown } = {},
  ) {
    super(detail, { cause: options.cause });
    this.name = "DirectoryError";
    this.kind = kind;
    this.errors = options.errors ?? [];
    this.retryAfter = options.retryAfter;
  }
}

export function notFound(what: string, id: number): DirectoryError {
  return new DirectoryError("not-found", `There is no ${what} ${id}.`);
}
