import type { Precondition } from "../accounts/precondition.ts";

/** A record's version is its entity tag. */
export function etagOf(record: { readonly version: number }): string {
  return `"${record.version}"`;
}

/** Parses `If-Match` (RFC 9110, 13.1.1). Weak tags and unknown forms match no version. */
export function parseIfMatch(header: string | undefined): Precondition {
  if (header === undefined) return undefined;
  if (header.trim() === "*") return "any";
  return header.split(",").flatMap((tag) => {
    const version = /^"(\d{1,10})"$/.exec(tag.trim())?.[1];
    return version === undefined ? [] : [Number(version)];
  });
}

/** Whether `If-None-Match` names this tag (RFC 9110, 13.1.2, weak comparison). */
export function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
}
