import { DirectoryError, notFound } from "../errors/directory-error.ts";

/** What an `If-Match` header asks of the record: any version, or one of these. */
export type Precondition = "any" | readonly number[] | undefined;

/** Refuses a change to a version that the actor has not seen. */
export function requireVersion(record: { readonly version: number }, precondition: Precondition): void {
  if (precondition === undefined || precondition === "any" || precondition.includes(record.version)) return;
  throw new DirectoryError("stale", `The record changed meanwhile: it is at version ${record.version} now.`);
}

/**
 * Reads a record that is to be changed and keeps others from changing it meanwhile. Refuses one that is not there, or of a
 * version that the actor has not seen.
 */
export async function lockVersion<T extends { readonly version: number }>(
  store: { lock(id: number): Promise<T | undefined> },
  what: "user" | "group" | "constraint",
  id: number,
  precondition: Precondition,
): Promise<T> {
  const record = await store.lock(id);
  if (record === undefined) throw notFound(what, id);
  requireVersion(record, precondition);
  return record;
}
