import { DirectoryError } from "./directory-error.ts";

/** What an `If-Match` header asks of the record: any version, or one of these. */
export type Precondition = "any" | readonly number[] | undefined;

/** Refuses a change to a version that the caller has not seen. */
export function requireVersion(record: { readonly version: number }, precondition: Precondition): void {
  if (precondition === undefined || precondition === "any" || precondition.includes(record.version)) return;
  throw new DirectoryError("stale", `The record changed meanwhile: it is at version ${record.version} now.`);
}
