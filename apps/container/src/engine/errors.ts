import type { Result } from "@berth/port-spec";
/** Docker's classes of errors: every way a request can fail. */
export type EngineErrorKind =
  | "invalid"
  | "unauthorized"
  | "forbidden"
  | "not-found"
  | "conflict"
  | "too-large"
  | "too-many"
  | "failed"
  | "unsupported"
  | "unavailable"
  | "no-swarm"
  | "full";

/** The one table from kind to HTTP status, following moby's `httpstatus`. */
export const STATUS_OF: Readonly<
  Record<EngineErrorKind, 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 501 | 503 | 507>
> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  "not-found": 404,
  conflict: 409,
  "too-large": 413,
  "too-many": 429,
  failed: 500,
  unsupported: 501,
  unavailable: 503,
  "no-swarm": 503,
  full: 507,
};

/**
 * An error to show to the client: its message becomes `{"message"}` and its kind the status.
 * Any other thrown value is an internal error: logged in full, answered with a plain 500.
 */
export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly kind: EngineErrorKind;

  constructor(kind: EngineErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** Whether `thrown` is an EngineError, of the given `kind` if there is one. */
export function isEngineError(thrown: unknown, kind?: EngineErrorKind): thrown is EngineError {
  return thrown instanceof EngineError && (kind === undefined || thrown.kind === kind);
}

/** Undefined for a `not-found`; any other fault is thrown on. */
export function unlessAbsent(thrown: unknown): undefined {
  if (!isEngineError(thrown, "not-found")) throw thrown;
  return undefined;
}

/** Whether the same may succeed later: the disk is full, or what it needs does not answer. */
export function isOutage(thrown: unknown): boolean {
  return isEngineError(thrown, "unavailable") || isEngineError(thrown, "full");
}

/** Unwraps a result of the pure core at the edge of a use case. Throws `invalid` with the error's message. */
export function orInvalid<T>(result: Result<T, string>): T {
  if (result.ok) return result.value;
  throw new EngineError("invalid", result.error);
}
