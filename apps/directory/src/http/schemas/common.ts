import { MAX_FIELDS, type OwnFields, parseOwnFields } from "@berth/directory-domain";
import type { Result } from "@berth/port-spec";
import { z } from "@hono/zod-openapi";
import { DirectoryError } from "../../errors/directory-error.ts";

/** A text validated by `parse`, whose error becomes the issue's message. */
export function parsedText(parse: (text: string) => Result<string, string>, limits: { readonly maxLength: number }) {
  return z
    .string()
    .transform((text, context) => {
      const parsed = parse(text);
      if (parsed.ok) return parsed.value;
      context.addIssue({ code: "custom", message: parsed.error });
      return z.NEVER;
    })
    .openapi({ type: "string", minLength: 1, maxLength: limits.maxLength });
}

/** Null or what `schema` accepts; a declared type must say so itself. */
export function nullable<S extends z.ZodType>(schema: S) {
  return schema.nullable().openapi({ type: ["string", "null"] });
}

export const instantSchema = z
  .string()
  .max(64)
  .pipe(
    z.iso.datetime({
      offset: true,
      message: "must be an ISO 8601 instant with offset, such as 2030-01-31T00:00:00Z",
    }),
  )
  .transform((text) => new Date(text).toISOString())
  .openapi({ type: "string", format: "date-time" });

/** A record's id in another system. */
export const externalIdSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{C}]*$/u, "must not hold control characters");

export const noteSchema = z
  .string()
  .max(500)
  .regex(/^[^\p{Cc}]*$/u, "must not hold control characters")
  .nullable();

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const FIELD_VALUES = { type: ["string", "number", "boolean"] as ["string", "number", "boolean"], maxLength: 1_000 };

/** Fields of one's own, by name. Not a schema of a record, which would drop `__proto__` instead of refusing it. */
export const ownFieldsSchema = z
  .custom<Readonly<Record<string, unknown>>>(isObject, "must be an object")
  .transform((input, context): OwnFields => {
    const parsed = parseOwnFields(input);
    if (parsed.ok) return parsed.value;
    context.addIssue({ code: "custom", message: parsed.error.detail, path: parsed.error.pointer.split("/").slice(1) });
    return z.NEVER;
  })
  .openapi({ type: "object", additionalProperties: FIELD_VALUES, maxProperties: MAX_FIELDS });

/** Fields of one's own in an answer. */
export const shownFieldsSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/** A merge patch of such fields: null removes a field, and the others stay as they are. */
export const ownFieldsPatchSchema = z.custom<Readonly<Record<string, unknown>>>(isObject, "must be an object").openapi({
  type: "object",
  additionalProperties: { type: ["string", "number", "boolean", "null"], maxLength: 1_000 },
});

/** Fields after a merge patch (RFC 7396). @throws DirectoryError `invalid` */
export function mergeOwnFields(current: OwnFields, patch: Readonly<Record<string, unknown>>): OwnFields {
  const merged = Object.entries({ ...current, ...patch }).filter(([, value]) => value !== null);
  const parsed = parseOwnFields(Object.fromEntries(merged));
  if (parsed.ok) return parsed.value;
  const pointer = `/fields${parsed.error.pointer}`;
  throw new DirectoryError("invalid", `${pointer} ${parsed.error.detail}.`, {
    errors: [{ pointer, detail: parsed.error.detail }],
  });
}

const flag = z.enum(["true", "false"]).transform((text) => text === "true");

const limitSchema = z
  .string()
  .regex(/^(?:[1-9]\d?|1\d\d|200)$/, "must be a whole number from 1 to 200")
  .transform(Number)
  .openapi({ type: "integer", minimum: 1, maximum: 200 });

/** Parameters of every list. */
export const PAGE_PARAMETERS = {
  limit: limitSchema.optional(),
  cursor: z.string().max(1_000).optional(),
};
export const COUNT_PARAMETER = { count: flag.optional() };
export const FLAG_SCHEMA = flag;

export const idQuery = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, "must be a whole number from 1 to 2^53-1")
  .transform(Number)
  .refine(Number.isSafeInteger, "must be a whole number from 1 to 2^53-1")
  .openapi({ type: "integer" });

/** `?sort=login` or `?sort=-login` for descending. */
export function sortParameter<const T extends readonly [string, ...string[]]>(keys: T) {
  const words = keys.flatMap((key) => [key, `-${key}`]);
  return z
    .enum(words as [string, ...string[]])
    .default(keys[0])
    .transform((word) => ({
      by: word.replace(/^-/, "") as T[number],
      order: word.startsWith("-") ? ("descending" as const) : ("ascending" as const),
    }))
    .openapi({ type: "string", enum: words, default: keys[0] });
}

export const idSchema = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
export const STAMP_SCHEMAS = { version: z.int(), createdAt: z.iso.datetime(), updatedAt: z.iso.datetime() };
