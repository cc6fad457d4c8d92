import { DirectoryError, notFound } from "../errors/directory-error.ts";

/** The versions that an `If-Match` header accepts; undefined without the header. */
export type Precondition = "any" | readonly number[] | undefined;

/** @throws `stale` unless the record is at a version that the precondition accepts. */
export function requireVersion(record: { readonly version: number }, precondition: Precondition): void {
  if (precondition === undefined || precondition === "any" || precondition.includes(record.version)) return;
  throw new DirectoryError("stale", `The record is now at version ${record.version}; read it again and retry.`);
}

/**
 * Reads a record and locks it until the transaction ends.
 * @throws `not-found`, or `stale` when its version does not satisfy the precondition.
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
