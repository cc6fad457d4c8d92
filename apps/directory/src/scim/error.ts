import { DirectoryError } from "../errors/directory-error.ts";
import { STATUS_OF } from "../errors/problem.ts";

export const SCIM_TYPE = "application/scim+json";
const ERROR_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:Error";

/** Words of RFC 7644, table 9, where a refusal has one. */
type ScimWord = "invalidFilter" | "invalidPath" | "invalidValue" | "noTarget" | "uniqueness" | "invalidSyntax";

/** A refusal that SCIM has a word of its own for. */
export class ScimError extends DirectoryError {
  readonly word: ScimWord;
  constructor(word: ScimWord, detail: string) {
    // RFC 7644 answers all of these with 400.
    super("malformed", detail);
    this.word = word;
  }
}

/** What went wrong, in the form of RFC 7644, 3.12. */
export function scimErrorAnswer(thrown: unknown): Response {
  const status = statusOf(thrown);
  const scimType = wordOf(thrown);
  const body = {
    schemas: [ERROR_SCHEMA],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
    detail: thrown instanceof DirectoryError ? thrown.message : "The directory failed to answer; its log says why.",
  };
  const headers = new Headers({ "content-type": SCIM_TYPE, "cache-control": "no-store" });
  if (status === 401) headers.set("www-authenticate", 'Bearer realm="berth"');
  return new Response(JSON.stringify(body), { status, headers });
}

function statusOf(thrown: unknown): number {
  if (!(thrown instanceof DirectoryError)) return 500;
  return thrown.kind === "invalid" ? 400 : STATUS_OF[thrown.kind].status;
}

function wordOf(thrown: unknown): ScimWord | undefined {
  if (thrown instanceof ScimError) return thrown.word;
  if (!(thrown instanceof DirectoryError)) return undefined;
  if (thrown.kind === "conflict") return "uniqueness";
  if (thrown.kind === "malformed") return "invalidSyntax";
  return thrown.kind === "invalid" ? "invalidValue" : undefined;
}
