import { err, ok, type Result } from "@berth/port-spec";
import type { Fault } from "./parse-constraint.ts";
import { isWellFormed } from "./user.ts";

/** What a deployment notes about a user or a group, such as a cost centre. */
export type FieldValue = string | number | boolean;
export type OwnFields = Readonly<Record<string, FieldValue>>;

export const MAX_FIELDS = 64;
export const OWN_FIELD_KEY = /^[a-z][a-z0-9_.-]{0,63}$/i;
const MAX_TEXT = 1_000;
/** All fields of one record as JSON, in characters. */
const MAX_TOTAL = 8_192;

/** Checks fields of one's own: up to 64 names, each with a text of up to 1,000 characters, a number, or true or false. */
export function parseOwnFields(input: Readonly<Record<string, unknown>>): Result<OwnFields, Fault> {
  const entries = Object.entries(input);
  if (entries.length > MAX_FIELDS) return err({ pointer: "", detail: `must have at most ${MAX_FIELDS} names` });
  for (const [key, value] of entries) {
    const pointer = `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (!OWN_FIELD_KEY.test(key))
      return err({ pointer, detail: "must be named by up to 64 letters, digits and . _ - that start with a letter" });
    const fault = faultOf(value);
    if (fault !== undefined) return err({ pointer, detail: fault });
  }
  if (JSON.stringify(input).length > MAX_TOTAL)
    return err({ pointer: "", detail: `must have at most ${MAX_TOTAL} characters together` });
  return ok(input as OwnFields);
}

function faultOf(value: unknown): string | undefined {
  if (typeof value === "boolean") return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : "must be a finite number";
  if (typeof value !== "string") return "must be a text, a number, true or false";
  if (value.length > MAX_TEXT) return `must have at most ${MAX_TEXT} characters`;
  return !isWellFormed(value) || /\p{Cc}/u.test(value) ? "must not hold control characters" : undefined;
}

/**
 * Reads a field's value as people write it, in a table or on a command line: `true`, `false` and numbers are what they look like, and a
 * text in double quotes is that text. Null for nothing at all.
 */
export function parseFieldValue(text: string): FieldValue | null {
  if (text === "") return null;
  if (text === "true" || text === "false") return text === "true";
  // 007 and 1.50 are texts: as numbers they would come back otherwise.
  if (Number.isFinite(Number(text)) && String(Number(text)) === text) return Number(text);
  return /^".*"$/s.test(text) ? text.slice(1, -1) : text;
}

/** The text that {@link parseFieldValue} reads as this value. */
export function formatFieldValue(value: FieldValue): string {
  const text = String(value);
  if (typeof value !== "string") return text;
  return parseFieldValue(text) === text && text === text.trim() ? text : `"${text}"`;
}
