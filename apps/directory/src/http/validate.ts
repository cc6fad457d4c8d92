import { isWellFormed } from "@berth/directory-domain";
import type { z } from "zod";
import { DirectoryError, type ErrorDetail } from "../errors/directory-error.ts";

/** Parses a body; throws `invalid` with a pointer for every fault. */
export function parseBody<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value, WITH_INPUT);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.flatMap((issue) =>
    faultsOf(issue).map(({ path, detail }) => ({ pointer: pointerOf(path), detail })),
  );
  throw new DirectoryError("invalid", sentenceOf(errors.map((one) => `${one.pointer || "the body"} ${one.detail}`)), {
    errors: errors.slice(0, MAX_ERRORS),
  });
}

/** Parses query parameters; throws `malformed` for invalid, unknown and repeated ones. */
export function parseQuery<S extends z.ZodType>(schema: S, parameters: URLSearchParams): z.output<S> {
  const errors: ErrorDetail[] = [];
  const values: Record<string, string> = {};
  for (const [name, value] of parameters) {
    // Postgres stores neither in a text.
    if (value.includes("\0") || !isWellFormed(value))
      errors.push({ parameter: name, detail: "must be Unicode without NUL" });
    if (Object.hasOwn(values, name)) errors.push({ parameter: name, detail: "is repeated" });
    Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true });
  }
  const parsed = schema.safeParse(values, WITH_INPUT);
  if (parsed.success && errors.length === 0) return parsed.data;
  for (const issue of parsed.error?.issues ?? [])
    for (const { path, detail } of faultsOf(issue)) errors.push({ parameter: path.join("."), detail });
  throw new DirectoryError("malformed", sentenceOf(errors.map((one) => `${one.parameter} ${one.detail}`)), {
    errors: errors.slice(0, MAX_ERRORS),
  });
}

// Whether a value is missing or of another type shows in it alone.
const WITH_INPUT = { reportInput: true };

// Bounds the answer to a body with thousands of faults.
const MAX_ERRORS = 20;

function faultsOf(
  issue: z.core.$ZodIssue,
): readonly { readonly path: readonly PropertyKey[]; readonly detail: string }[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ path: [...issue.path, key], detail: "is not a known field" }));
  return [{ path: issue.path, detail: detailOf(issue) }];
}

function detailOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type")
    return issue.input === undefined ? "is required" : `must be ${TYPES[issue.expected] ?? issue.expected}`;
  if (issue.code === "invalid_value") return `must be one of ${issue.values.map(String).join(", ")}`;
  return issue.message;
}

const TYPES: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "an object",
  string: "a text",
};

/** RFC 6901. */
function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function sentenceOf(faults: readonly string[]): string {
  return `${faults.slice(0, 3).join("; ")}${faults.length > 3 ? `; and ${faults.length - 3} more` : ""}.`.slice(0, 500);
}
