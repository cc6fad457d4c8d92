import { z } from "zod";

const MAX_BODY_BYTES = 64 << 10;

/** A registry's error response, or the lack of a response. The message never contains a credential. */
export class RegistryError extends Error {
  override readonly name = "RegistryError";
  /** The HTTP status; undefined without a response. */
  readonly status: number | undefined;
  /** The distribution spec's code (`MANIFEST_UNKNOWN`); "" if the body has none. */
  readonly code: string;
  /** The registry's `Retry-After`. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    {
      status,
      code = "",
      retryAfterMs,
      cause,
    }: {
      readonly status?: number;
      readonly code?: string;
      readonly retryAfterMs?: number;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Whether a retry can help: no response, or an overloaded or broken registry. */
export function isTransient(thrown: unknown): boolean {
  return (
    thrown instanceof RegistryError &&
    (thrown.status === undefined || thrown.status === 408 || thrown.status === 429 || thrown.status >= 500)
  );
}

const errorBody = z.object({
  errors: z.array(z.object({ code: z.string(), message: z.string().default("") })).min(1),
});

/** The distribution spec's errors with the messages of its Go client, which `docker pull` shows. */
export function errorOfResponse(status: number, body: Buffer, retryAfter: string | undefined): RegistryError {
  const seconds = Number(retryAfter);
  const wait = Number.isFinite(seconds) && retryAfter !== undefined ? { retryAfterMs: seconds * 1000 } : {};
  const parsed = errorBody.safeParse(jsonOf(body.subarray(0, MAX_BODY_BYTES)));
  const first = parsed.success ? parsed.data.errors[0] : undefined;
  if (first === undefined) {
    const code = status === 401 ? "UNAUTHORIZED" : status === 429 ? "TOOMANYREQUESTS" : "";
    const message = WORDS_OF.get(status) ?? `received unexpected HTTP status: ${status}`;
    return new RegistryError(message, { status, code, ...wait });
  }
  return new RegistryError(`${spelled(first.code)}: ${first.message}`, { status, code: first.code, ...wait });
}

function spelled(code: string): string {
  return code.toLowerCase().replaceAll("_", " ");
}

const WORDS_OF: ReadonlyMap<number, string> = new Map([
  [401, "unauthorized: authentication required"],
  [403, "denied: requested access to the resource is denied"],
  [429, "toomanyrequests: too many requests"],
]);

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
