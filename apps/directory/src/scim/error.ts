import { z } from "@hono/zod-openapi";
import { DirectoryError, type ErrorKind } from "../errors/directory-error.ts";
import { STATUS_OF } from "../errors/problem.ts";

export const SCIM_TYPE = "application/scim+json";
export const ERROR_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:Error";

/** The form of errors in the document. */
export const SCIM_REFUSALS = {
  mediaType: SCIM_TYPE,
  schema: z
    .object({ schemas: z.array(z.string()), status: z.string(), scimType: z.string().optional(), detail: z.string() })
    .openapi("ScimError"),
  statusOf: scimStatus,
};

/** Words of RFC 7644, table 9. */
type ScimWord =
  | "invalidFilter"
  | "invalidPath"
  | "invalidSyntax"
  | "invalidValue"
  | "mutability"
  | "noTarget"
  | "uniqueness";

/** A refusal that SCIM has a word of its own for. */
export class ScimError extends DirectoryError {
  readonly word: ScimWord;
  constructor(word: ScimWord, detail: string) {
    // RFC 7644 answers all of these with 400.
    super("malformed", detail);
    this.word = word;
  }
}

/** The directory's fields by the attributes that a SCIM client knows. */
const ATTRIBUTE_OF: Readonly<Record<string, string>> = {
  "/login": "userName",
  "/email": "primary e-mail address",
  "/name": "displayName",
};

/** Answers with the error in the form of RFC 7644, 3.12. */
export function scimErrorAnswer(thrown: unknown): Response {
  const status = statusOf(thrown);
  const scimType = wordOf(thrown);
  const body = {
    schemas: [ERROR_SCHEMA],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
    detail: detailOf(thrown),
  };
  const headers = new Headers({ "content-type": SCIM_TYPE, "cache-control": "no-store" });
  if (status === 401) headers.set("www-authenticate", 'Bearer realm="berth"');
  if (thrown instanceof DirectoryError && thrown.retryAfter !== undefined)
    headers.set("retry-after", String(thrown.retryAfter));
  return new Response(JSON.stringify(body), { status, headers });
}

function statusOf(thrown: unknown): number {
  if (!(thrown instanceof DirectoryError)) return 500;
  return scimStatus(thrown.kind);
}

function scimStatus(kind: ErrorKind): number {
  return kind === "invalid" ? 400 : STATUS_OF[kind].status;
}

function wordOf(thrown: unknown): ScimWord | undefined {
  if (thrown instanceof ScimError) return thrown.word;
  if (!(thrown instanceof DirectoryError)) return undefined;
  // The last administrator is a conflict too, and no value of it is taken.
  if (thrown.kind === "conflict") return takenBy(thrown) === undefined ? undefined : "uniqueness";
  if (thrown.kind === "malformed")
    return thrown.errors.some((one) => one.parameter !== undefined) ? "invalidValue" : "invalidSyntax";
  return thrown.kind === "invalid" ? "invalidValue" : undefined;
}

function detailOf(thrown: unknown): string {
  if (!(thrown instanceof DirectoryError)) return "The directory failed to answer; its log says why.";
  const attribute = thrown.kind === "conflict" ? takenBy(thrown) : undefined;
  return attribute === undefined ? thrown.message : `Another resource has this ${attribute}.`;
}

function takenBy(error: DirectoryError): string | undefined {
  return ATTRIBUTE_OF[error.errors[0]?.pointer ?? ""];
}
