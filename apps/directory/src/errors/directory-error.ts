/** Every kind of expected failure. `problem.ts` maps each to its HTTP status. */
export type ErrorKind =
  | "malformed"
  | "invalid"
  | "too-large"
  | "unsupported-media-type"
  | "unauthenticated"
  /** The password is right, and a code has to come with it. */
  | "second-factor-required"
  | "forbidden"
  | "not-found"
  | "method-not-allowed"
  | "conflict"
  | "stale"
  | "precondition-required"
  | "throttled"
  | "busy"
  /** The database is away, or its disk is full. */
  | "unavailable"
  | "full";

/** Locates the fault (RFC 6901 pointer into the body, or a parameter's name) and says what would be right. */
export interface ErrorDetail {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly detail: string;
}

/** The only error that use cases throw on purpose; anything else thrown is a bug or an outage. */
export class DirectoryError extends Error {
  readonly kind: ErrorKind;
  readonly errors: readonly ErrorDetail[];
  /** Seconds until the same request may succeed. */
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

/** The request's own user was removed after its credential was checked. */
export function removedUser(): DirectoryError {
  return new DirectoryError("unauthenticated", "The user of this credential no longer exists.");
}
